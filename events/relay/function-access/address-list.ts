/**
 * Addresses of functions from a file: one a line, `NAME=URL`; empty lines and those that begin with `#` do not count. Throws with
 * the line that is neither.
 */
export function parseAddresses(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').map((line) => line.trim());
  return Object.fromEntries(lines.filter((line) => line !== '' && !line.startsWith('#')).map(parseAddress));
}

/** One of them. Throws. */
export function parseAddress(pair: string): [string, string] {
  const equals = pair.indexOf('=');
  if (equals <= 0) throw new Error(`an address is NAME=URL, not ${pair}`);
  const url = pair.slice(equals + 1);
  if (!URL.canParse(url)) throw new Error(`${url} is no address`);
  return [pair.slice(0, equals), url];
}
