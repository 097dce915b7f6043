import { type Finding, sweep } from '../../../functions/resync/sweep.ts';
import { TableLink } from './table-link.ts';
import type { World } from './world.ts';

const EVERY_MS = 5 * 60_000;

/** The scheduled sweep, run as a platform's schedule does. */
export class Sweeps {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  start(): void {
    const { time, trace } = this.#world;
    time.every(EVERY_MS, () => {
      void this.run().catch((error: unknown) => trace.say('resync', () => `fails: ${String(error)}`));
    });
  }

  /** What one sweep finds. */
  async run(): Promise<readonly Finding[]> {
    const { time, injector, trace } = this.#world;
    const { table } = new TableLink(this.#world, 'resync');
    const findings = await sweep(table, () => time.now + injector.skewMs('functions'));
    trace.say('resync', () => `finds ${JSON.stringify(findings)}`);
    return findings;
  }
}
