import type { LeaseKeeper } from './lease-keeper.ts';
import type { TableLease } from './table-lease.ts';

/** How one lease stands. */
export interface LeaseStanding {
  readonly name: string;
  readonly held: boolean;
  /** Time until others may take it. */
  readonly remainingMs: number;
}

/**
 * Leadership is both leases: first virt-controller's Lease, then the table's. Losing either ends it for this process. A shadow
 * has the table's alone, that of a cluster of its own.
 *
 * ```text
 * passive -> (Kubernetes Lease) -> (table lease: token) -> leading -> lost
 * ```
 */
export class Leadership {
  readonly #kube: LeaseKeeper | undefined;
  readonly #table: LeaseKeeper;
  readonly #tableLease: TableLease;
  #ended = false;

  constructor(kube: LeaseKeeper | undefined, table: LeaseKeeper, tableLease: TableLease) {
    this.#kube = kube;
    this.#table = table;
    this.#tableLease = tableLease;
  }

  get token(): number {
    return this.#tableLease.token;
  }

  /** Whether something new may be sent or written now. */
  get mayAct(): boolean {
    return !this.#ended && this.#keepers.every((keeper) => keeper.mayAct);
  }

  /** Milliseconds for which a write may still be under way. */
  get remainingMs(): number {
    return this.#ended ? 0 : Math.min(...this.#keepers.map((keeper) => keeper.remainingMs));
  }

  get leases(): readonly LeaseStanding[] {
    return this.#keepers.map(({ name, remainingMs }) => ({ name, held: remainingMs > 0, remainingMs }));
  }

  /** Acquires both, tells `onLeading`, keeps both; resolves with the reason when leadership has ended. */
  async run(onLeading: (token: number) => void): Promise<string> {
    await this.#kube?.acquire();
    const kubeLost =
      this.#kube?.keep().then(() => 'the Kubernetes Lease was lost') ?? new Promise<never>(() => undefined);
    const acquired = await Promise.race([this.#table.acquire().then(() => 'acquired'), kubeLost]);
    if (acquired !== 'acquired') return this.#end(acquired);
    if (this.#ended) return 'stopped';
    const tableLost = this.#table.keep().then(() => 'the table lease was lost');
    onLeading(this.token);
    return this.#end(await Promise.race([kubeLost, tableLost]));
  }

  /** The table says that the token is not ours any more. */
  revoke(): void {
    this.#table.abandon();
  }

  /** Stops acting at once, then gives both leases back. */
  async release(): Promise<void> {
    this.#ended = true;
    await this.#table.release();
    await this.#kube?.release();
  }

  get #keepers(): readonly LeaseKeeper[] {
    return this.#kube === undefined ? [this.#table] : [this.#kube, this.#table];
  }

  #end(reason: string): string {
    this.#ended = true;
    for (const keeper of this.#keepers) keeper.abandon();
    return reason;
  }
}
