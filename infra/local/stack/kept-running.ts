import { setTimeout as sleep } from 'node:timers/promises';
import type { ManagedProcess, ProcessSpec } from '../processes/managed-process.ts';
import { describeExit } from '../processes/managed-process.ts';
import { crashOf, type Supervisor } from '../processes/supervisor.ts';

const PAUSES_MS = [100, 500, 2_000, 5_000];
/** A process that lived this long has started well; its next end is a first one again. */
const SETTLED_MS = 30_000;
/** A process that has ended that often before it was ever ready will not come up. */
const ENDS_BEFORE_READY = 3;

/** A process that is started again whenever it ends without having been told to, as kubelet would do it. */
export class KeptRunning {
  readonly #supervisor: Supervisor;
  readonly #spec: ProcessSpec;
  readonly #tell: (text: string) => void;
  readonly #hopeless = Promise.withResolvers<never>();
  #process: ManagedProcess;
  #failures = 0;
  #wasReady = false;

  private constructor(
    supervisor: Supervisor,
    spec: ProcessSpec,
    process: ManagedProcess,
    tell: (text: string) => void,
  ) {
    this.#supervisor = supervisor;
    this.#spec = spec;
    this.#process = process;
    this.#tell = tell;
    this.#hopeless.promise.catch(() => undefined);
    this.#follow().catch((error: unknown) => this.#hopeless.reject(error));
  }

  /** `tell` gets a line for each end and start. */
  static async start(supervisor: Supervisor, spec: ProcessSpec, tell: (text: string) => void): Promise<KeptRunning> {
    return new KeptRunning(supervisor, spec, await supervisor.start(spec), tell);
  }

  /** The process of now. */
  get process(): ManagedProcess {
    return this.#process;
  }

  /**
   * What `ready` brings.
   *
   * @throws ProcessCrashed when the process ends again and again before that, or is told to end
   */
  async once<T>(ready: Promise<T>): Promise<T> {
    const result = await Promise.race([ready, this.#hopeless.promise]);
    this.#wasReady = true;
    return result;
  }

  async #follow(): Promise<void> {
    for (;;) {
      const startedAt = performance.now();
      const exit = await this.#process.exited;
      const ends = this.#failures + 1;
      if (exit.asked || (!this.#wasReady && ends >= ENDS_BEFORE_READY)) throw crashOf(this.#process, exit);
      this.#failures = performance.now() - startedAt > SETTLED_MS ? 1 : ends;
      const pauseMs = PAUSES_MS[Math.min(this.#failures, PAUSES_MS.length) - 1] ?? 0;
      this.#tell(`${this.#spec.name} ${describeExit(exit)}; it is started again (log: ${this.#process.logFile})`);
      await sleep(pauseMs);
      if (this.#supervisor.stopping) throw crashOf(this.#process, exit);
      this.#process = await this.#supervisor.start(this.#spec);
    }
  }
}
