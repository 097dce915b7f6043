import type { KubeClient, Scenario, SettleOptions, State, Suite } from './suite.ts';

/** Virtual time in which a disturbed world must have come to a checkpoint's state. */
const PATIENCE_MS = 300_000;
const LOOK_AGAIN_MS = 2_000;
/** What a scenario waits for in seconds takes this often as long when something goes wrong. */
const SLOWER = 20;

export interface Course {
  readonly scenario: Scenario;
  /** By what a checkpoint differs from golden, once it was waited for. */
  readonly differences: string[];
}

/**
 * A scenario in a world where things go wrong: it waits longer, and takes each checkpoint when the state is golden's. If it never
 * gets there, what is different is kept and the scenario goes on.
 */
export function disturbedScenario(
  suite: Suite,
  kube: KubeClient,
  name: string,
  golden: Readonly<Record<string, State>>,
  differ: (golden: State, actual: State) => readonly string[],
): Course {
  const differences: string[] = [];
  class Disturbed extends suite.Scenario {
    override waitFor<T>(what: string, probe: () => Promise<T>, seconds = 30): Promise<T> {
      return super.waitFor(what, probe, seconds * SLOWER);
    }

    override async settle(label: string, options: SettleOptions = {}): Promise<void> {
      const until = suite.clock.now() + PATIENCE_MS;
      for (;;) {
        await super.settle(label, { ...options, limit: PATIENCE_MS });
        const state = this.checkpoints[label] ?? {};
        const found = golden[label] === undefined ? [] : differ(golden[label], state);
        if (found.length === 0) return;
        if (suite.clock.now() > until) {
          differences.push(...found.map((difference) => `${label} ${difference}`));
          return;
        }
        delete this.checkpoints[label];
        await suite.clock.sleep(LOOK_AGAIN_MS);
      }
    }
  }
  return { scenario: new Disturbed(kube, name, 'sim'), differences };
}
