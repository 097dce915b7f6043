/** Who knows of an interface: a list of `domain`, `guest-agent`, `multus-status` in one string (vmi.md 11.3). */

export type InfoSource = 'domain' | 'guest-agent' | 'multus-status';

const SEPARATOR = ', ';

export function hasInfoSource(list: string | undefined, source: InfoSource): boolean {
  return sources(list).includes(source);
}

export function addInfoSource(list: string | undefined, source: InfoSource): string {
  return hasInfoSource(list, source) ? (list ?? '') : [...sources(list), source].join(SEPARATOR);
}

export function removeInfoSource(list: string | undefined, source: InfoSource): string {
  return sources(list)
    .filter((s) => s !== source)
    .join(SEPARATOR);
}

function sources(list: string | undefined): readonly string[] {
  return list === undefined || list === '' ? [] : list.split(SEPARATOR);
}
