import { isDeepStrictEqual } from 'node:util';
import type { Action, ActionResult } from '../../../functions/core/action.ts';
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import { defaultConfiguration, defaultProcessParameters } from '../../../functions/core/configuration/defaults.ts';
import type { Context } from '../../../functions/core/context.ts';
import type { Controller, Reads, SnapshotOf } from '../../../functions/core/controller.ts';
import { openExpectations, type StoredExpectation } from '../../../functions/core/expectation.ts';
import type { Grants, Needs } from '../../../functions/core/needs.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Outcome } from '../../../functions/core/outcome.ts';
import { requireAllowed } from './allowed.ts';
import type { ModelCluster } from './cluster.ts';
import { snapshotOf } from './snapshot.ts';

/** Passes after which a key that still writes counts as restless. */
const MAX_PASSES = 30;

/**
 * Delivers keys of one controller as relay and function do together: snapshot, results, expectations, state. Each pass runs
 * twice on a frozen snapshot and must come to the same, and may write only what its controller declares.
 */
export class Driver<P extends KubeObject, R extends Reads<P>, S> {
  readonly cluster: ModelCluster;
  configuration: ClusterConfiguration = defaultConfiguration('kubevirt', defaultProcessParameters);
  readonly #controller: Controller<P, R>;
  readonly #reconcile: (snapshot: SnapshotOf<Controller<P, R>>, state: S | undefined, context: Context) => Outcome<S>;
  readonly #keys = new Map<string, KeyMemory<S>>();
  /** What the table grants; `undefined`: it can't be reached. */
  grant: (needs: Needs, key: string) => Grants | undefined = () => undefined;

  constructor(
    cluster: ModelCluster,
    controller: Controller<P, R>,
    reconcile: (snapshot: SnapshotOf<Controller<P, R>>, state: S | undefined, context: Context) => Outcome<S>,
  ) {
    this.cluster = cluster;
    this.#controller = controller;
    this.#reconcile = reconcile;
  }

  /** One delivery, to be disturbed in one way or another. */
  pass(key: string, disturbance: Disturbance = {}): Outcome<S> {
    const memory = this.#memory(key);
    const outcome = this.#run(key, memory);
    requireDistinct(outcome.actions);
    const snapshot = snapshotOf(this.cluster, this.#controller, key);
    requireAllowed(this.#controller, snapshot, outcome.actions, this.configuration);
    const results = disturbance.answerLost === true ? [] : this.cluster.apply(outcome.actions, disturbance.limit);
    memory.results = disturbance.reportLost === true ? [] : results;
    memory.state = outcome.state === undefined ? memory.state : (outcome.state ?? undefined);
    memory.failures = outcome.type === 'retry' ? memory.failures + 1 : 0;
    memory.expectations.push(...newExpectations(outcome.actions, this.cluster.nowMs));
    return outcome;
  }

  /** Passes until one has nothing to write, events aside; returns that one. Fails if there is none. */
  settle(key: string): Outcome<S> {
    for (let i = 0; i < MAX_PASSES; i++) {
      const outcome = this.pass(key);
      if (outcome.actions.every((a) => a.verb === 'event')) return outcome;
    }
    throw new Error(`${key} still writes after ${MAX_PASSES} passes`);
  }

  #run(key: string, memory: KeyMemory<S>): Outcome<S> {
    const { nowMs } = this.cluster;
    const snapshot = deepFreeze(snapshotOf(this.cluster, this.#controller, key));
    const positions = Object.fromEntries(memory.expectations.map((e) => [e.kind, this.cluster.position(e.kind)]));
    const expectations = openExpectations(memory.expectations, memory.results, positions, nowMs);
    memory.expectations = [...expectations];
    const { configuration } = this;
    const context = {
      nowMs,
      configuration,
      token: 1,
      expectations,
      results: memory.results,
      failures: memory.failures,
    };
    const decide = (grants?: Grants) => {
      const asked = { ...context, ...(grants !== undefined && { grants }) };
      const outcome = this.#reconcile(snapshot, memory.state, asked);
      if (!isDeepStrictEqual(outcome, this.#reconcile(snapshot, memory.state, asked))) {
        throw new Error(`${key}: two passes over the same snapshot differ`);
      }
      return outcome;
    };
    const outcome = decide();
    if (outcome.type !== 'needs') return outcome;
    const grants = this.grant(outcome.needs, key);
    return grants === undefined ? { type: 'retry', actions: [], reason: 'needs not met' } : decide(grants);
  }

  #memory(key: string): KeyMemory<S> {
    let memory = this.#keys.get(key);
    if (memory === undefined) {
      memory = { state: undefined, failures: 0, results: [], expectations: [] };
      this.#keys.set(key, memory);
    }
    return memory;
  }
}

export interface Disturbance {
  /** The relay stops after that many actions, and reports the rest as not attempted. */
  readonly limit?: number;
  /** The relay never learns what the function decided. */
  readonly answerLost?: boolean;
  /** The function never learns what became of its actions. */
  readonly reportLost?: boolean;
}

interface KeyMemory<S> {
  state: S | undefined;
  failures: number;
  results: readonly ActionResult[];
  expectations: StoredExpectation[];
}

/** As the functions' host does: results are reported by ids. */
function requireDistinct(actions: readonly Action[]): void {
  const ids = actions.map((a) => a.id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new Error(`two actions are called ${twice}`);
}

function newExpectations(actions: readonly Action[], since: number): StoredExpectation[] {
  return actions.flatMap((a) =>
    a.verb === 'event' || a.expect !== true
      ? []
      : [{ id: a.id, kind: 'object' in a ? a.object.kind : a.target.kind, since }],
  );
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const v of Object.values(value)) deepFreeze(v);
  return value;
}
