/** Of the newest image a node asks each time. */
export function pullPolicy(image: string): string {
  const name = image.split('/').at(-1) ?? '';
  const isPinned = name.includes('@') || (name.includes(':') && !name.endsWith(':latest'));
  return isPinned ? 'IfNotPresent' : 'Always';
}
