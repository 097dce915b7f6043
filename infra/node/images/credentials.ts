/** A user and password for registries, as a dockerconfigjson Secret holds it. */
export interface Credential {
  readonly username: string;
  readonly password: string;
}

interface Entry {
  readonly username?: unknown;
  readonly password?: unknown;
  /** Base64 of `user:password`. */
  readonly auth?: unknown;
}

/** Entries of one Secret by the registry, or part of one, that they are for. Throws on text that is not of that kind. */
export function parseDockerConfig(json: string): ReadonlyMap<string, Credential> {
  const config = JSON.parse(json) as { auths?: Record<string, Entry> };
  const found = Object.entries(config.auths ?? {}).map(([key, entry]) => [key, credentialOf(entry)] as const);
  return new Map(found.filter((pair): pair is [string, Credential] => pair[1] !== undefined));
}

/** Those that are for the repository, the most exact first: by host (`*` stands for part of a name), port and path. */
export function credentialsFor(
  registry: string,
  repository: string,
  configs: readonly ReadonlyMap<string, Credential>[],
): readonly Credential[] {
  return configs
    .flatMap((config) => [...config])
    .filter(([key]) => isFor(key, registry, repository))
    .sort(([a], [b]) => b.length - a.length)
    .map(([, credential]) => credential);
}

export function basic({ username, password }: Credential): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function credentialOf({ username, password, auth }: Entry): Credential | undefined {
  if (typeof username === 'string' && typeof password === 'string') return { username, password };
  if (typeof auth !== 'string') return undefined;
  const decoded = Buffer.from(auth, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

function isFor(key: string, registry: string, repository: string): boolean {
  // Older entries are URLs with the API's version as their path.
  const [host = '', ...path] = key
    .replace(/^https?:\/\//, '')
    .replace(/\/(?:v[12]\/?)?$/, '')
    .split('/');
  const wanted = repository.split('/');
  return hostMatches(host, registry) && path.every((part, i) => part === wanted[i]);
}

function hostMatches(pattern: string, registry: string): boolean {
  const parts = pattern.split('.');
  const actual = registry.split('.');
  return parts.length === actual.length && parts.every((part, i) => partMatches(part, actual[i] ?? ''));
}

function partMatches(pattern: string, part: string): boolean {
  const escaped = pattern.split('*').map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${escaped.join('[^:]*')}$`, 'i').test(part);
}
