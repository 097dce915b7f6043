const BASE = 'virt-export';
const LONGEST = 63;
/** A hash of 8 digits between two dashes. */
const HASH_LENGTH = 10;

/** Name of an export's pod (launcher-pod.md 19): joined where that fits, else shortened and told apart by a hash. */
export function exporterPodName(exportName: string): string {
  const joined = `${BASE}-${exportName}`;
  if (joined.length <= LONGEST) return joined;
  const room = LONGEST - HASH_LENGTH - exportName.length;
  if (room <= 0) return `${BASE}-${fnv1a(joined)}`;
  return `${BASE.slice(0, room)}-${fnv1a(BASE)}-${exportName}`;
}

/** FNV-1a of 32 bits over the text's UTF-8 bytes, as 8 hexadecimal digits. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
