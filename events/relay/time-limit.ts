/** A signal that ends an exchange after that time. Timers of the platform take whole milliseconds only. */
export function timeLimit(ms: number): AbortSignal {
  return AbortSignal.timeout(Math.max(1, Math.floor(ms)));
}
