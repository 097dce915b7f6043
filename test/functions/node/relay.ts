import type { ReconcileItem } from '../../../events/envelope/envelope.ts';
import { anyController } from '../../../functions/core/controller.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { node } from '../../../functions/node/reads.ts';
import { type Delivered, Deliveries } from '../../events/relay/support/deliveries.ts';

/** The relay's part of the node controller, with a function that finds nothing to do. */
export class NodeRelay {
  readonly #deliveries: Deliveries;

  constructor(...objects: readonly KubeObject[]) {
    this.#deliveries = new Deliveries([anyController(node)], ...objects);
  }

  get time(): Deliveries['time'] {
    return this.#deliveries.time;
  }
  get kindStates(): Deliveries['kindStates'] {
    return this.#deliveries.kindStates;
  }
  /** How long the function takes. */
  set latencyMs(ms: number) {
    this.#deliveries.latencyMs = ms;
  }

  /** Begins to deliver; what is delivered at the start is returned, and not counted later. */
  async start(): Promise<readonly string[]> {
    return keysOf(await this.#deliveries.startWhole());
  }
  async startWhole(): Promise<readonly ReconcileItem[]> {
    return (await this.#deliveries.startWhole()).map(({ item }) => item);
  }

  /** The watch brings objects. */
  see(...objects: readonly KubeObject[]): void {
    this.#deliveries.see(...objects);
  }
  seeGone(object: KubeObject): void {
    this.#deliveries.seeGone(object);
  }

  /** Keys delivered since the last call, once all is quiet. */
  async newKeys(): Promise<readonly string[]> {
    return keysOf(await this.#deliveries.newWhole());
  }
}

function keysOf(delivered: readonly Delivered[]): string[] {
  return delivered.map(({ item }) => item.key);
}
