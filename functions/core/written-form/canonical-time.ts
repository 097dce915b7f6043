/** RFC 3339 in UTC with whole seconds (runtime.md 11.1 rule 6). Text that is no time stays: it is the API server's to refuse. */
export function canonicalTime(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? text : new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
