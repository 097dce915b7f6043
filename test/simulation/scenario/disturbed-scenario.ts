import type { KubeClient, Scenario, SettleOptions, State, Suite } from './suite.ts';

/** Virtual time in which a disturbed world must have come to a checkpoint's state. */
const PATIENCE_MS = 300_000;
const LOOK_AGAIN_MS = 2_000;
/**
 * Users think before they change or delete what they made, for longer than a lost delivery takes: what they find then is what golden
 * had at that moment.
 */
const THINKING_MS = 45_000;
/** After this time every relay knows of another configuration, and what is created is made by it. */
const CONFIGURED_MS = 120_000;
/** What a scenario waits for in seconds takes this often as long when something goes wrong. */
const SLOWER = 20;

/**
 * A scenario in a world where things go wrong: it waits longer, and takes each checkpoint when the state is golden's. If it never
 * gets there it goes on with the state that there is.
 */
export function disturbedScenario(
  suite: Suite,
  kube: KubeClient,
  name: string,
  golden: Readonly<Record<string, State>>,
  differ: (golden: State, actual: State) => readonly string[],
): Scenario {
  class Disturbed extends suite.Scenario {
    override waitFor<T>(what: string, probe: () => Promise<T>, seconds = 30): Promise<T> {
      return super.waitFor(what, probe, seconds * SLOWER);
    }

    override async configure(configuration: object): Promise<void> {
      await super.configure(configuration);
      await suite.clock.sleep(CONFIGURED_MS);
    }

    override async delete(kind: string, name: string, options?: object): Promise<unknown> {
      if (kind !== 'Pod') await suite.clock.sleep(THINKING_MS);
      return super.delete(kind, name, options);
    }

    override async patch(object: { readonly kind: string }, body: unknown, subresource?: string): Promise<unknown> {
      if (object.kind !== 'Pod') await suite.clock.sleep(THINKING_MS);
      return super.patch(object, body, subresource);
    }

    override async settle(label: string, options: SettleOptions = {}): Promise<void> {
      const until = suite.clock.now() + PATIENCE_MS;
      for (;;) {
        await super.settle(label, { ...options, limit: PATIENCE_MS });
        const wanted = golden[label];
        if (wanted === undefined || suite.clock.now() > until) return;
        if (differ(wanted, recordedOf(this.checkpoints[label] ?? {}, wanted)).length === 0) return;
        delete this.checkpoints[label];
        await suite.clock.sleep(LOOK_AGAIN_MS);
      }
    }
  }
  return new Disturbed(kube, name, 'sim');
}

/** Of a state, those members of objects that golden records: scenarios drop some after they have taken a checkpoint. */
function recordedOf(state: State, golden: State): State {
  return Object.fromEntries(
    Object.entries(state).map(([key, object]) => {
      const wanted = golden[key];
      if (!isRecord(object) || !isRecord(wanted)) return [key, object];
      return [key, Object.fromEntries(Object.entries(object).filter(([member]) => member in wanted))];
    }),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
