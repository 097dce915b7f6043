import { type ChildProcess, spawn } from 'node:child_process';
import { run, searchPath } from '../command.ts';
import { HypervisorError, HypervisorUnavailable } from '../hypervisor.ts';

const LIMIT_MS = 20_000;
const LIMITS_MS: Readonly<Record<string, number>> = {
  // Starting a machine takes long on a busy host.
  start: 90_000,
  // Asked every other second, and the one whose silence tells of a daemon that hangs.
  domstats: 10_000,
};
/** virsh's words when its daemon is not there, or goes away during a call. */
const GONE =
  /failed to connect to the hypervisor|End of file while reading data|Cannot (?:recv|write) data|client socket is closed|Disconnected from/i;
const EVENTS_AGAIN_MS = 1000;

/** `virsh` as a child process for each call, at one daemon. */
export class Virsh {
  readonly #connection: readonly string[];

  constructor(mode: 'private' | 'session', socket: string) {
    const path = socket.split('/').map(encodeURIComponent).join('/');
    const uri = `qemu:///${mode === 'private' ? 'system' : 'session'}?socket=${path}`;
    this.#connection = ['-q', '-c', uri];
  }

  /**
   * Standard output. Throws a {@link HypervisorError} with virsh's own words, and a {@link HypervisorUnavailable} after the time
   * limit or without a daemon.
   */
  async call(...args: readonly string[]): Promise<string> {
    const limitMs = LIMITS_MS[args[0] ?? ''] ?? LIMIT_MS;
    const result = await run('virsh', [...this.#connection, ...args], { limitMs });
    if (result.type === 'done') return result.stdout;
    const what = `virsh ${args.join(' ')}`;
    if (result.type === 'timed-out') throw new HypervisorUnavailable(`${what}: no answer within ${result.limitMs} ms`);
    const message = `${what}: ${result.message.replaceAll(/^error: /gm, '').replaceAll('\n', '; ')}`;
    throw GONE.test(message) ? new HypervisorUnavailable(message) : new HypervisorError(message);
  }

  /** Calls the listener at each change of a guest's state, as far as it is heard of, until the returned function is called. */
  followEvents(listener: () => void): () => void {
    let child: ChildProcess | undefined;
    let timer: NodeJS.Timeout | undefined;
    let stopped = false;
    const begin = (): void => {
      const args = [...this.#connection, 'event', '--loop', '--event', 'lifecycle'];
      child = spawn('virsh', args, {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, PATH: searchPath(), LC_ALL: 'C' },
      });
      child.stdout?.on('data', listener);
      child.on('error', () => {});
      // virsh ends with its daemon; what happened meanwhile is found by listing.
      child.on('close', () => {
        if (stopped) return;
        timer = setTimeout(begin, EVENTS_AGAIN_MS);
        listener();
      });
    };
    begin();
    return () => {
      stopped = true;
      clearTimeout(timer);
      child?.kill('SIGKILL');
    };
  }
}
