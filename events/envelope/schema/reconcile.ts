import * as v from 'valibot';
import {
  type AnswerItem,
  type AnswerOutcome,
  type ReconcileAnswer,
  type ReconcileItem,
  type ReconcileRequest,
  VERSION,
} from '../envelope.ts';
import { MAX_BATCH_ITEMS, MAX_REASON_LENGTH } from '../limits.ts';
import { action, actionResult } from './actions.ts';
import { configuration } from './configuration.ts';
import { key, kubeObject, milliseconds, primaryObject, resourceVersion, shortText, token } from './objects.ts';

const item: v.GenericSchema<unknown, ReconcileItem> = v.object({
  key,
  attempt: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  primary: v.nullable(primaryObject),
  reads: v.record(shortText, v.nullable(v.union([v.array(kubeObject), kubeObject]))),
  results: v.array(actionResult),
  positions: v.record(shortText, resourceVersion),
});

export const reconcileRequest: v.GenericSchema<unknown, ReconcileRequest> = v.object({
  version: v.literal(VERSION),
  cluster: shortText,
  token,
  timeMs: milliseconds,
  deliveryId: shortText,
  listedToken: token,
  configuration,
  items: v.pipe(
    v.array(item),
    v.minLength(1),
    v.maxLength(MAX_BATCH_ITEMS),
    v.check((items) => noKeyTwice(items), 'a key comes twice'),
  ),
});

const outcome: v.GenericSchema<unknown, AnswerOutcome> = v.variant('type', [
  v.object({ type: v.literal('done') }),
  v.object({ type: v.literal('requeue-after'), afterMs: milliseconds }),
  v.object({ type: v.literal('stale'), kind: shortText, resourceVersion, afterMs: milliseconds }),
  v.object({ type: v.literal('busy') }),
  v.object({
    type: v.literal('retry'),
    reason: v.pipe(v.string(), v.maxLength(MAX_REASON_LENGTH)),
    afterMs: milliseconds,
  }),
  v.object({ type: v.literal('left') }),
]);

const answerItem: v.GenericSchema<unknown, AnswerItem> = v.object({ key, outcome, actions: v.array(action) });

export const reconcileAnswer: v.GenericSchema<unknown, ReconcileAnswer> = v.object({
  version: v.literal(VERSION),
  deliveryId: shortText,
  token,
  items: v.pipe(
    v.array(answerItem),
    v.maxLength(MAX_BATCH_ITEMS),
    v.check((items) => noKeyTwice(items), 'a key comes twice'),
  ),
});

/** Two passes of one key at once would only race each other. */
function noKeyTwice(items: readonly { readonly key: string }[]): boolean {
  return new Set(items.map((i) => i.key)).size === items.length;
}
