/** Reasons for a long-running program to end in order. */
export type Termination = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'parent gone';

const parentPollMs = 500;

/**
 * Resolves at the first reason to end. npm, say, passes SIGTERM only to its shell, and may be killed itself: so the end
 * of the parent counts like a signal. From the call on the signals no longer end the process by themselves, so that a
 * second Ctrl-C does not cut the orderly end short.
 */
export function termination(): Promise<Termination> {
  const parent = process.ppid;
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done(signal));
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      done('parent gone');
    }, parentPollMs);
    timer.unref();
  });
}
