/** What a registry asks for in `WWW-Authenticate`. */
export type Challenge =
  | { readonly type: 'basic' }
  | { readonly type: 'bearer'; readonly realm: string; readonly service?: string; readonly scope?: string };

/** Undefined for schemes that are not known. Where several are offered, Bearer is taken. */
export function parseChallenge(header: string | null): Challenge | undefined {
  const bearer = /(?:^|,)\s*bearer\s+(.*)$/i.exec(header ?? '')?.[1];
  if (bearer !== undefined) {
    const found = [...bearer.matchAll(/([a-z_]+)=(?:"([^"]*)"|([^\s,]+))/gi)];
    const values = new Map(found.map(([, name = '', quoted, bare]) => [name.toLowerCase(), quoted ?? bare ?? '']));
    const realm = values.get('realm');
    if (realm !== undefined)
      return { type: 'bearer', realm, service: values.get('service'), scope: values.get('scope') };
  }
  return /(?:^|,)\s*basic\b/i.test(header ?? '') ? { type: 'basic' } : undefined;
}
