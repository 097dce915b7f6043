import type { Action, ActionResult } from '../../../functions/core/action.ts';
import type { ReconcileItem } from '../../envelope/envelope.ts';
import { KnownObjects } from '../allow-list/known-objects.ts';
import type { ActionGate } from '../apply/action-gate.ts';
import type { AnswerAbout, Applied, Applies } from '../apply/apply.ts';
import { targetOf } from '../apply/expected-version.ts';
import { effectOf } from './effect.ts';
import type { Ledger } from './ledger.ts';
import type { WantedWrite } from './wanted-write.ts';

/**
 * Takes an answer's actions as wanted, and does none of them: to the function they were not attempted. Events, and calls of
 * KubeVirt's API server, leave nothing in a cache that could be compared; they are left out.
 */
export class ShadowApplier implements Applies {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  apply(actions: readonly Action[], _recorder: unknown, gate: ActionGate, about: AnswerAbout): Promise<Applied> {
    const { controller, item } = about;
    const shown = new KnownObjects(item);
    const uids = uidsIn(item);
    const results: ActionResult[] = [];
    const wanted: WantedWrite[] = [];
    let stopped = false;
    for (const action of actions) {
      if (action.verb === 'event') continue;
      const admission = stopped ? undefined : gate.admit(action);
      if (admission?.type === 'refused') {
        stopped = true;
        results.push({ id: action.id, status: 'failed', code: 0, reason: 'NotAllowed', message: admission.message });
        continue;
      }
      results.push({ id: action.id, status: 'not-attempted' });
      const { id, verb } = action;
      const admitted = admission?.action;
      if (admitted === undefined || action.verb === 'subresource' || admitted.verb === 'subresource') continue;
      const target = targetOf(action);
      const effect = effectOf(admitted, action, shown.get(target), uids);
      if (effect !== undefined) wanted.push({ controller, key: item.key, id, verb, target, effect });
    }
    this.#ledger.passed(controller, item.key, wanted);
    return Promise.resolve({ results });
  }
}

function uidsIn({ primary, reads }: ReconcileItem): ReadonlySet<string> {
  const objects = [primary, ...Object.values(reads)].flat();
  return new Set(objects.map((object) => object?.metadata.uid ?? ''));
}
