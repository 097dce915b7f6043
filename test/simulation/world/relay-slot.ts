import { DEFAULT_TIMING } from '../../../events/relay/leadership/lease-keeper.ts';
import { Metrics } from '../../../events/relay/metrics/metrics.ts';
import { Relay } from '../../../events/relay/relay.ts';
import { declaredControllers } from '../../../functions/controllers.ts';
import { defaultProcessParameters } from '../../../functions/core/configuration/defaults.ts';
import { ApiLink } from './api-link.ts';
import { FunctionLink } from './function-link.ts';
import type { Keeper } from './keeper.ts';
import { SimulatedProcess } from './process.ts';
import { signingKeys } from './signing-keys.ts';
import type { World } from './world.ts';

/** How long it takes until a process that ended is started again. */
const RESTART_MS = 1_000;

/** What the reference was recorded with. */
const parameters = {
  ...defaultProcessParameters,
  launcherImage: 'registry.example/virt-launcher:v1',
  exporterImage: 'registry.example/virt-exportserver:v1',
};

/** One replica of the relay: a process that is started again when it ends. */
export class RelaySlot implements Keeper {
  readonly name: string;
  readonly #world: World;
  readonly #number: number;
  #process: SimulatedProcess | undefined;
  #relay: Relay | undefined;
  /** Actions of functions that earlier processes of the slot found not to be allowed. */
  #refusedBefore = 0;

  constructor(world: World, number: number) {
    this.#world = world;
    this.#number = number;
    this.name = `relay-${number}`;
  }

  get isLeading(): boolean {
    return this.#relay?.leading ?? false;
  }

  get refusals(): number {
    const own = this.#relay?.refusals.counts ?? [];
    return this.#refusedBefore + own.reduce((sum, { count }) => sum + count, 0);
  }

  start(): void {
    const process = new SimulatedProcess(this.#world, this.name, this.#world.injector.skewMs(this.#number));
    const link = new ApiLink(this.#world, process, this);
    this.#process = process;
    this.#relay = new Relay({
      controllers: declaredControllers.map(({ controller }) => controller),
      writes: declaredControllers.map(({ writes }) => writes),
      cluster: link,
      leases: link,
      server: 'https://cluster.example:6443',
      metrics: new Metrics(),
      functions: (name) => ({ http: new FunctionLink(this.#world, process, name, this), basePath: '' }),
      keys: signingKeys,
      ports: process.ports,
      namespace: 'kubevirt',
      identity: this.name,
      parameters,
      timing: DEFAULT_TIMING,
      onLeading: (token) => this.#world.onLeading(this.name, token),
    });
    void this.#relay.run().then((reason) => {
      // One that was told to end is started again when it has given its leases back.
      if (process !== this.#process || process.isDead || reason === 'stopped') return;
      this.#world.trace.say(this.name, () => `ends: ${reason}`);
      this.killAndRestart();
    });
  }

  /** Ends the process without a word, and starts another. */
  killAndRestart(): void {
    this.#world.trace.say(this.name, () => 'KILLED');
    this.#refusedBefore = this.refusals;
    this.#process?.kill();
    this.#relay = undefined;
    this.#world.time.after(RESTART_MS, () => this.start());
  }

  /** Tells the process to end, as a rolling update does, and starts another when it has. */
  stopAndRestart(): void {
    const process = this.#process;
    this.#world.trace.say(this.name, () => 'STOPPED');
    void this.#relay?.stop().then(() => {
      if (process === this.#process && process?.isDead === false) this.killAndRestart();
    });
  }

  pause(forMs: number): void {
    const process = this.#process;
    this.#world.trace.say(this.name, () => `PAUSED for ${forMs} ms`);
    process?.pause();
    this.#world.time.after(forMs, () => {
      this.#world.trace.say(this.name, () => 'wakes');
      process?.wake();
    });
  }
}
