import type { Ports } from '../../../events/relay/ports.ts';
import type { World } from './world.ts';

/**
 * A process of the simulated world: what happens to it (timers, answers, events) goes through `enter`. A paused one takes it all
 * when it wakes, as one that was stopped with SIGSTOP or whose machine slept; a killed one never.
 */
export class SimulatedProcess {
  readonly name: string;
  readonly #world: World;
  readonly #skewMs: number;
  #state: 'runs' | 'paused' | 'dead' = 'runs';
  readonly #waiting: (() => void)[] = [];

  constructor(world: World, name: string, skewMs = 0) {
    this.#world = world;
    this.name = name;
    this.#skewMs = skewMs;
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  enter(run: () => void): void {
    if (this.#state === 'runs') run();
    else if (this.#state === 'paused') this.#waiting.push(run);
  }

  pause(): void {
    if (this.#state === 'runs') this.#state = 'paused';
  }

  wake(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'runs';
    for (const run of this.#waiting.splice(0)) this.enter(run);
  }

  kill(): void {
    this.#state = 'dead';
    this.#waiting.length = 0;
  }

  get ports(): Ports {
    const { time, random, trace } = this.#world;
    const say = (level: string) => (message: string, fields?: object) =>
      trace.say(this.name, () => `${level}: ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`);
    return {
      clock: { now: () => time.now + this.#skewMs, monotonic: () => time.now },
      timers: { after: (ms, run) => time.after(ms, () => this.enter(run)) },
      random: { next: () => random.next(), uuid: () => random.uuid() },
      log: { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
    };
  }
}
