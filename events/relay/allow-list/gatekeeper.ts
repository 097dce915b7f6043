import type { Action } from '../../../functions/core/action.ts';
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import type { Controller } from '../../../functions/core/controller.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Writes } from '../../../functions/core/writes.ts';
import type { ReconcileItem } from '../../envelope/envelope.ts';
import type { ActionGate, Admission } from '../apply/action-gate.ts';
import { targetOf } from '../apply/expected-version.ts';
import type { Log } from '../ports.ts';
import { redacted } from '../sealing/redacted.ts';
import type { SealedText, Sealer } from '../sealing/sealer.ts';
import { UnsealError, unsealed } from '../sealing/unseal.ts';
import { AllowList } from './allow-list.ts';
import { KnownObjects } from './known-objects.ts';
import type { RefusalRule, Refusals } from './refusals.ts';

type Shown = Pick<ReconcileItem, 'primary' | 'reads'>;

/** What of a controller leaves the cluster, and what of its answers comes in. */
export class Gatekeeper {
  readonly #controller: string;
  readonly #sealer: Sealer;
  readonly #allowList: AllowList;
  readonly #refusals: Refusals;
  readonly #log: Log;

  /** Without `writes` the controller may write nothing. */
  constructor(controller: Controller, writes: Writes | undefined, sealer: Sealer, refusals: Refusals, log: Log) {
    this.#controller = controller.name;
    this.#sealer = sealer;
    this.#allowList = new AllowList(controller, writes);
    this.#refusals = refusals;
    this.#log = log;
  }

  /** A snapshot as functions may see it. */
  seal<S extends Shown>(snapshot: S): S {
    const reads: Record<string, Shown['reads'][string]> = {};
    for (const [name, found] of Object.entries(snapshot.reads)) {
      if (found === null) reads[name] = null;
      else reads[name] = isList(found) ? found.map((o) => this.#sealer.seal(o)) : this.#sealer.seal(found);
    }
    const { primary } = snapshot;
    return { ...snapshot, primary: primary === null ? null : this.#sealer.seal(primary), reads };
  }

  /** For the answer to an item whose snapshot was sealed here. */
  gateFor(item: Pick<ReconcileItem, 'key'> & Shown, configuration: ClusterConfiguration): ActionGate {
    const known = new KnownObjects(item);
    let contents: ReadonlyMap<string, readonly SealedText[]> | undefined;
    const sealedIn = () => (contents ??= this.#contentsOf(item));
    return {
      admit: (action) => this.#admit(action, item.key, known, configuration, (seal) => sealedIn().get(seal) ?? []),
      redact: (message) => redacted(message, [...sealedIn().values()].flat()),
    };
  }

  #admit<A extends Action>(
    action: A,
    key: string,
    known: KnownObjects,
    configuration: ClusterConfiguration,
    contentsOf: (seal: string) => readonly SealedText[],
  ): Admission<A> {
    const verdict = this.#allowList.judge(action, known, configuration);
    if (verdict.type === 'refused') return this.#refuse(action, key, verdict.rule, verdict.message);
    try {
      const admitted = unsealed(action, contentsOf);
      if (action.verb === 'create') known.add(action.object);
      return { type: 'admitted', action: admitted };
    } catch (e) {
      if (!(e instanceof UnsealError)) throw e;
      return this.#refuse(action, key, 'seal', e.message);
    }
  }

  #refuse(action: Action, key: string, rule: RefusalRule, message: string): Admission<never> {
    this.#refusals.count(this.#controller, rule);
    const { kind, namespace, name } = targetOf(action);
    this.#log.error('action refused', {
      controller: this.#controller,
      key,
      id: action.id,
      verb: action.verb,
      target: { kind, namespace, name },
      rule,
      why: message,
    });
    return { type: 'refused', message: `not allowed (${rule}): ${message}` };
  }

  #contentsOf({ primary, reads }: Shown): ReadonlyMap<string, readonly SealedText[]> {
    const objects: readonly (KubeObject | null)[] = [primary, ...Object.values(reads)].flat();
    return Map.groupBy(
      objects.flatMap((o) => (o === null ? [] : this.#sealer.contentsOf(o))),
      (content) => content.sealed,
    );
  }
}

function isList(found: readonly KubeObject[] | KubeObject): found is readonly KubeObject[] {
  return Array.isArray(found);
}
