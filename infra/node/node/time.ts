/** RFC 3339 in UTC with whole seconds, as Kubernetes writes times. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** RFC 3339 with microseconds, as leases have them. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, '000Z');
}
