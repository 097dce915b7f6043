import { renewLease } from './lease.ts';
import { ReadinessWatch } from './readiness.ts';
import { beat, label, type Registration, register, reportStatus } from './registration.ts';

const LEASE_MS = 10_000;
const BEAT_MS = 60_000;
const LABEL_MS = 180_000;
/** Periods are stretched at random, so that agents of many nodes do not write at the same time (node.md C2, C3). */
const JITTER = 1.2;

/** Keeps the Node object and its lease true while the agent runs. */
export class NodeKeeper {
  readonly #registration: Registration;
  readonly #log: (line: string) => void;
  readonly #readiness = new ReadinessWatch(Date.now());
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopped = false;

  constructor(registration: Registration, log: (line: string) => void) {
    this.#registration = registration;
    this.#log = log;
  }

  /** Resolves when the node is registered, labelled, ready and schedulable. */
  async start(): Promise<void> {
    const { client, nodeName } = this.#registration;
    await register(this.#registration);
    await renewLease(client, nodeName);
    await label(this.#registration);
    await this.#reportAndBeat();
    this.#repeat(LEASE_MS, 0, () => renewLease(client, nodeName));
    this.#repeat(BEAT_MS, JITTER, () => this.#reportAndBeat());
    this.#repeat(LABEL_MS, JITTER, () => label(this.#registration));
  }

  /** Takes what the hypervisor answered, or what came instead; the node is reported anew when its readiness changes by that. */
  hearHypervisor(trouble: string | undefined, askedAtMs: number): void {
    if (this.#stopped || !this.#readiness.hear(trouble, askedAtMs, Date.now())) return;
    const { now } = this.#readiness;
    this.#log(now.type === 'ready' ? 'ready again' : `not ready: ${now.message}`);
    this.#reportAndBeat().catch((error: unknown) => this.#log(`node: ${String(error)}`));
  }

  /** The final beat: not schedulable. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await beat(this.#registration, false).catch((error: unknown) => this.#log(`last heartbeat: ${String(error)}`));
  }

  async #reportAndBeat(): Promise<void> {
    const readiness = this.#readiness.now;
    await reportStatus(this.#registration, readiness);
    await beat(this.#registration, readiness.type === 'ready');
  }

  #repeat(periodMs: number, jitter: number, act: () => Promise<void>): void {
    if (this.#stopped) return;
    const afterMs = periodMs * (1 + Math.random() * jitter);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act()
        .catch((error: unknown) => this.#log(`node: ${String(error)}`))
        .finally(() => this.#repeat(periodMs, jitter, act));
    }, afterMs);
    this.#timers.add(timer);
  }
}
