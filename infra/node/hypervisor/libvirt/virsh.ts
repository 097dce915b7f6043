import { type ChildProcess, spawn } from 'node:child_process';
import { run, searchPath } from '../command.ts';
import { HypervisorError } from '../hypervisor.ts';

const LIMIT_MS = 20_000;
/** Starting a machine takes long on a busy host. */
const START_LIMIT_MS = 90_000;
const EVENTS_AGAIN_MS = 1000;

/** `virsh` as a child process for each call, at one daemon. */
export class Virsh {
  readonly #connection: readonly string[];

  constructor(mode: 'private' | 'session', socket: string) {
    const path = socket.split('/').map(encodeURIComponent).join('/');
    const uri = `qemu:///${mode === 'private' ? 'system' : 'session'}?socket=${path}`;
    this.#connection = ['-q', '-c', uri];
  }

  /** Standard output. Throws a {@link HypervisorError} with virsh's own words, or after the time limit. */
  async call(...args: readonly string[]): Promise<string> {
    const limitMs = args[0] === 'start' ? START_LIMIT_MS : LIMIT_MS;
    const result = await run('virsh', [...this.#connection, ...args], { limitMs });
    if (result.type === 'done') return result.stdout;
    const why = result.type === 'failed' ? result.message : `no answer within ${result.limitMs} ms`;
    throw new HypervisorError(`virsh ${args.join(' ')}: ${why.replaceAll(/^error: /gm, '').replaceAll('\n', '; ')}`);
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
