/**
 * For relay and functions. What they allocate lives for one delivery, so a small young generation is enough; the default lets it
 * grow several times larger, and what it has grown to stays resident.
 */
export const leanNode: readonly string[] = ['--max-semi-space-size=4'];
