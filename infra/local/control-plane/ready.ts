/** When a part of the control plane can be used. */
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines } from '../processes/log-file.ts';
import { type ManagedProcess, ProcessCrashed } from '../processes/managed-process.ts';
import { crashOf } from '../processes/supervisor.ts';

/** Against hangs only: the parts are ready within seconds, on a busy machine within a minute. */
const readyLimitMs = 5 * 60_000;
const pollMs = 50;

/**
 * Asks until the part is ready.
 *
 * @throws ProcessCrashed when it ends before, or is not ready for minutes.
 */
export async function untilReady(part: ManagedProcess, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + readyLimitMs;
  const ended = part.exited.then((exit) => {
    throw crashOf(part, exit);
  });
  // Later ends are the business of `onExit`.
  ended.catch(() => undefined);
  while (!(await Promise.race([isReady(), ended]))) {
    if (performance.now() > deadline) {
      throw new ProcessCrashed(
        part.name,
        `is not ready after ${readyLimitMs / 60_000} min`,
        lastLines(part.logFile, 8),
      );
    }
    await Promise.race([sleep(pollMs), ended]);
  }
}

/** The health of a part whose serving certificate nobody knows: it makes one in memory, and nothing secret is sent. */
export function isHealthy(port: number): Promise<boolean> {
  return new Promise((done) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/healthz',
      rejectUnauthorized: false,
      agent: false,
      timeout: 2000,
    };
    const call = httpsRequest(options, (response) => {
      response.resume();
      done(response.statusCode === 200);
    });
    call.once('timeout', () => call.destroy());
    call.once('error', () => done(false));
    call.end();
  });
}
