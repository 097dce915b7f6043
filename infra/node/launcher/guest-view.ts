import type { GuestState, Hypervisor } from '../hypervisor/hypervisor.ts';

/** The hypervisor's guests, listed once for all who ask until something may have changed. */
export class GuestView {
  readonly #hypervisor: Hypervisor;
  #listing: Promise<ReadonlyMap<string, GuestState>> | undefined;

  constructor(hypervisor: Hypervisor) {
    this.#hypervisor = hypervisor;
  }

  /** Never older than the last {@link invalidate}. */
  all(): Promise<ReadonlyMap<string, GuestState>> {
    if (this.#listing !== undefined) return this.#listing;
    const listing = this.#hypervisor.list();
    this.#listing = listing;
    listing.catch(() => {
      if (this.#listing === listing) this.#listing = undefined;
    });
    return listing;
  }

  invalidate(): void {
    this.#listing = undefined;
  }
}
