/**
 * A relay that looks on (`--mode shadow`): it follows everything, has everything decided, and compares what it would write with what
 * the holder of virt-controller's Lease does.
 */
import type { Controller } from '../../../functions/core/controller.ts';
import type { Writes } from '../../../functions/core/writes.ts';
import type { Applies } from '../apply/apply.ts';
import type { WritePermit } from '../apply/write-permit.ts';
import type { Caches } from '../cache/caches.ts';
import type { KubeApi } from '../kube/api.ts';
import type { Ports } from '../ports.ts';
import { LeaderWatch } from './leader-watch.ts';
import { Ledger } from './ledger.ts';
import { ShadowApplier } from './shadow-applier.ts';
import type { ShadowTiming } from './shadow-timing.ts';
import { type Count, Tally, type UnforeseenCount } from './tally.ts';
import { Unforeseen } from './unforeseen.ts';
import type { Difference } from './wanted-write.ts';

/** What a shadow has seen from its start until now. */
export interface ShadowReport {
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** Holder of virt-controller's Lease now. */
  readonly leader: string | null;
  readonly writes: readonly Count[];
  readonly unforeseen: readonly UnforeseenCount[];
  /** Writes that neither the leader has done yet nor patience has ended for. */
  readonly openWrites: number;
  readonly differences: readonly Difference[];
}

export interface ShadowParts {
  readonly controllers: readonly Controller[];
  readonly writes: readonly Writes[];
  readonly caches: Caches;
  readonly api: KubeApi;
  readonly ports: Ports;
  readonly namespace: string;
  readonly timing: ShadowTiming;
  readonly visit: (controller: string, key: string) => void;
}

/** Events of a shadow are never sent. */
export const NEVER: WritePermit = { mayAct: false, remainingMs: 0 };

export class Shadow {
  readonly applier: Applies;
  readonly #parts: ShadowParts;
  readonly #tally = new Tally();
  readonly #leader: LeaderWatch;
  readonly #ledger: Ledger;
  readonly #unforeseen: Unforeseen;
  readonly #startedMs: number;
  #follows = false;

  constructor(parts: ShadowParts) {
    const { controllers, writes, caches, api, ports, namespace, timing, visit } = parts;
    this.#parts = parts;
    this.#startedMs = ports.clock.now();
    this.#leader = new LeaderWatch(api, namespace, ports);
    this.#unforeseen = new Unforeseen(controllers, writes, ports, this.#tally, timing.patienceMs);
    this.#ledger = new Ledger({
      caches,
      ports,
      tally: this.#tally,
      patienceMs: timing.patienceMs,
      ledForMs: () => this.#leader.heldForMs,
      visit,
      onFound: (uid) => this.#unforeseen.found(uid),
    });
    this.applier = new ShadowApplier(this.#ledger);
  }

  get tally(): Pick<Tally, 'counts' | 'unforeseen' | 'differences'> {
    return this.#tally;
  }

  get leader(): string | undefined {
    return this.#leader.holder;
  }

  get openWrites(): number {
    return this.#ledger.openWrites;
  }

  /** Begins to look at changes; what is there already was made before anybody could have foreseen it. */
  start(): void {
    if (this.#follows) return;
    this.#follows = true;
    this.#leader.start();
    this.#parts.caches.onChange((change) => {
      this.#ledger.changed(change);
      this.#unforeseen.changed(change);
    });
  }

  stop(): void {
    this.#leader.stop();
    this.#ledger.stop();
  }

  report(): ShadowReport {
    return {
      from: new Date(this.#startedMs).toISOString(),
      to: new Date(this.#parts.ports.clock.now()).toISOString(),
      leader: this.leader ?? null,
      writes: this.#tally.counts,
      unforeseen: this.#tally.unforeseen,
      openWrites: this.openWrites,
      differences: this.#tally.differences,
    };
  }
}
