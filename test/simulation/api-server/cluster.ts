import { timestamp } from '../../../functions/core/context.ts';
import { type ApiObject } from './objects.ts';
import type { ApiServerPorts } from './ports.ts';
import { Catalogue } from './resources/catalogue.ts';
import { Store } from './store/store.ts';

/** What every verb and controller works on. */
export class Cluster {
  readonly ports: ApiServerPorts;
  readonly store = new Store();
  readonly catalogue = new Catalogue();

  constructor(ports: ApiServerPorts) {
    this.ports = ports;
  }

  readonly #untouched = new WeakSet<ApiObject>();

  /** Remembers a new object as one that nobody has written since. */
  untouched(object: ApiObject): ApiObject {
    this.#untouched.add(object);
    return object;
  }

  isUntouched(object: ApiObject): boolean {
    return this.#untouched.has(object);
  }

  /** The current time as objects hold it. */
  now(): string {
    return timestamp(this.ports.now());
  }
}
