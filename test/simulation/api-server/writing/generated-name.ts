const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX = 5;
const MAX_BASE = 63 - SUFFIX;

/** The name that the server gives for a `generateName`. */
export function generatedName(base: string, random: () => number): string {
  let name = base.slice(0, MAX_BASE);
  for (let i = 0; i < SUFFIX; i++) name += LETTERS[Math.floor(random() * LETTERS.length)];
  return name;
}
