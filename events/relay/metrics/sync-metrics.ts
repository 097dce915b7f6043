import type { Action, ActionResult } from '../../../functions/core/action.ts';
import { VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import type { Caches } from '../cache/caches.ts';
import type { Metrics } from './metrics.ts';

/** The action by which the VMI controller's status step writes the VMI. */
export const VMI_STATUS_WRITE = 'write vmi';

/** `kubevirt_vmi_sync_total` (runtime.md 12.4): the status step's writes of each VMI that is there. */
export class SyncMetrics {
  readonly #caches: Caches;
  readonly #syncs;

  constructor(metrics: Metrics, caches: Caches) {
    this.#caches = caches;
    const help = "Writes of a VMI by its controller's status step.";
    this.#syncs = metrics.counter('kubevirt_vmi_sync_total', help, ['namespace', 'name']);
    caches.of(VirtualMachineInstance).onChange(({ old, new: now }) => {
      if (now === undefined && old !== undefined)
        this.#syncs.remove({ namespace: old.metadata.namespace ?? '', name: old.metadata.name });
    });
  }

  applied(controller: string, key: string, actions: readonly Action[], results: readonly ActionResult[]): void {
    if (controller !== 'vmi' || !actions.some((a) => a.id === VMI_STATUS_WRITE)) return;
    if (results.find((r) => r.id === VMI_STATUS_WRITE)?.status !== 'done') return;
    // The write may have been what let the VMI go.
    if (this.#caches.of(VirtualMachineInstance).get(key) === undefined) return;
    const [namespace = '', name = ''] = key.split('/');
    this.#syncs.inc({ namespace, name });
  }
}
