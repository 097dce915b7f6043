import { timestamp } from './objects.ts';
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

  /** The current time as objects hold it. */
  now(): string {
    return timestamp(this.ports.now());
  }
}
