const LONGEST = 63;
/** A hash of 8 digits between two dashes. */
const HASH_LENGTH = 10;

/**
 * Joins a base and a suffix to a name that is short enough: where it is too long, the base is cut and told apart by a hash
 * (snapshot-restore.md 1, "GetName"; launcher-pod.md 19).
 */
export function boundedName(base: string, suffix: string, longest: number = LONGEST): string {
  const joined = `${base}-${suffix}`;
  if (joined.length <= longest) return joined;
  const room = longest - HASH_LENGTH - suffix.length;
  if (room > 0) return `${base.slice(0, room)}-${fnv1a(base)}-${suffix}`;
  const prefix = base.slice(0, Math.max(0, longest - (HASH_LENGTH - 1)));
  return `${prefix}-${fnv1a(joined)}`.slice(0, longest);
}

/** FNV-1a of 32 bits over the text's UTF-8 bytes, as 8 hexadecimal digits. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
