import { describe, expect, test } from 'vitest';
import {
  decodeLeaseAnswer,
  decodeLeaseRequest,
  decodeReconcileAnswer,
  decodeReconcileRequest,
  encode,
} from '../../../events/envelope/decode.ts';
import type { AnswerItem, ReconcileAnswer } from '../../../events/envelope/envelope.ts';
import { MalformedMessageError, MessageTooLargeError, UnknownVersionError } from '../../../events/envelope/errors.ts';
import { MAX_BODY_BYTES } from '../../../events/envelope/limits.ts';
import type { Action } from '../../../functions/core/action.ts';
import { widgetBatch, widgetItem } from '../../functions/support/widget.ts';

const batch = widgetBatch([widgetItem('a', 'done'), widgetItem('b', 'done', { primary: null })]);

function bytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The batch with its first item changed. */
function withItem(change: object): unknown {
  return { ...batch, items: [{ ...batch.items[0], ...change }] };
}

describe('a reconcile request', () => {
  test('is the same after its way', () => {
    expect(decodeReconcileRequest(encode(batch))).toEqual(batch);
  });

  test.each([
    ['empty', ''],
    ['no JSON', 'hello'],
    ['no object', '7'],
    ['no version', '{}'],
    ['truncated', JSON.stringify(batch).slice(0, -10)],
    ['no cluster', { ...batch, cluster: undefined }],
    ['token 0', { ...batch, token: 0 }],
    ['token as text', { ...batch, token: '1' }],
    ['no items', { ...batch, items: [] }],
    ['more items than a table read takes', { ...batch, items: Array(100).fill(batch.items[0]) }],
    ['one key twice', { ...batch, items: [batch.items[0], batch.items[0]] }],
    ['key with a path in it', withItem({ key: 'default/../a' })],
    ['key of three parts', withItem({ key: 'a/b/c' })],
    ['primary without uid', withItem({ primary: { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' } } })],
    ['read of no object', withItem({ reads: { parts: [7] } })],
    ['position that is no number', withItem({ positions: { Part: 'x' } })],
    ['result of unknown status', withItem({ results: [{ id: 'a', status: 'maybe' }] })],
    ['configuration without process', { ...batch, configuration: { ...batch.configuration, process: undefined } }],
  ])('malformed: %s', (_, body) => {
    expect(() => decodeReconcileRequest(bytes(body))).toThrow(MalformedMessageError);
  });

  test('not UTF-8', () => {
    const encoded = encode(batch);
    encoded[encoded.indexOf(0x64)] = 0xff;
    expect(() => decodeReconcileRequest(encoded)).toThrow(MalformedMessageError);
  });

  test('too large', () => {
    expect(() => decodeReconcileRequest(new Uint8Array(MAX_BODY_BYTES + 1))).toThrow(MessageTooLargeError);
  });

  test('of another version', () => {
    expect(() => decodeReconcileRequest(bytes({ ...batch, version: 2 }))).toThrow(UnknownVersionError);
  });

  test('nested without end, closed or not, is refused before it is parsed', () => {
    const deep = '['.repeat(1_000_000);
    expect(() => decodeReconcileRequest(bytes(deep))).toThrow('nested deeper');
    expect(() => decodeReconcileRequest(bytes(`${deep}${']'.repeat(1_000_000)}`))).toThrow('nested deeper');
  });

  test('brackets in texts are no nesting', () => {
    const note = `"\\${'[{'.repeat(200)}`;
    const request = { ...batch, items: [widgetItem('a', note)] };
    expect(decodeReconcileRequest(encode(request))).toEqual(request);
  });

  test('a refusal does not quote what it refuses', () => {
    const secret = 'sealed-by-nobody';
    for (const body of [`${secret}`, { ...batch, token: secret }, withItem({ key: `${secret}!` })])
      expect(() => decodeReconcileRequest(bytes(body))).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(secret) as string }),
      );
  });
});

describe('a reconcile answer', () => {
  const deletion: Action = {
    verb: 'delete',
    id: 'part',
    expect: true,
    target: { kind: 'Part', namespace: 'default', name: 'p' },
    uid: 'u',
    resourceVersion: '5',
    preconditions: [{ type: 'absent-name', kind: 'Part', namespace: 'default', name: 'q' }],
  };
  const items: readonly AnswerItem[] = [
    {
      key: 'default/a',
      outcome: { type: 'stale', kind: 'Part', resourceVersion: '5', afterMs: 1 },
      actions: [deletion],
    },
    { key: 'default/b', outcome: { type: 'left' }, actions: [] },
  ];
  const answer: ReconcileAnswer = { version: 1, deliveryId: batch.deliveryId, token: 1, items };
  const withAction = (action: unknown) => ({ ...answer, items: [{ ...items[0], actions: [action] }, items[1]] });

  test('is the same after its way', () => {
    expect(decodeReconcileAnswer(encode(answer), batch)).toEqual(answer);
  });

  test.each([
    ['to another delivery', { ...answer, deliveryId: 'x' }],
    ['to another token', { ...answer, token: 2 }],
    ['about other keys', { ...answer, items: [{ ...items[0], key: 'kube-system/a' }, items[1]] }],
    ['about fewer keys', { ...answer, items: items.slice(1) }],
    ['with an unknown verb', withAction({ ...deletion, verb: 'exec' })],
    ['with a condition that nobody here knows', withAction({ ...deletion, onlyIf: 'idle' })],
    ['with an unknown precondition', withAction({ ...deletion, preconditions: [{ type: 'weekday' }] })],
    [
      'with a precondition on all objects of a kind',
      withAction({ ...deletion, preconditions: [{ type: 'absent-labels', kind: 'Pod', labels: {} }] }),
    ],
    ['with a deletion of no certain object', withAction({ ...deletion, uid: undefined })],
    [
      'with a patch that patches nothing',
      withAction({ ...deletion, verb: 'patch', patch: { type: 'json', operations: [] } }),
    ],
  ])('is refused: %s', (_, body) => {
    expect(() => decodeReconcileAnswer(bytes(body), batch)).toThrow(MalformedMessageError);
  });
});

describe('lease messages', () => {
  const common = { version: 1, cluster: 'c', holder: 'relay-a', timeMs: 1 } as const;

  test('are the same after their way', () => {
    for (const message of [
      { ...common, action: 'acquire', durationMs: 15_000 },
      { ...common, action: 'renew', token: 1, durationMs: 15_000 },
      { ...common, action: 'release', token: 1 },
    ] as const)
      expect(decodeLeaseRequest(encode(message))).toEqual(message);
    for (const message of [
      { version: 1, type: 'granted', token: 3, renewedAtMs: 5, durationMs: 15_000, visit: ['vm/default/a'] },
      { version: 1, type: 'refused', retryAfterMs: 2000 },
      { version: 1, type: 'released' },
    ] as const)
      expect(decodeLeaseAnswer(encode(message))).toEqual(message);
  });

  test('a renewal names its token; nobody leases for an hour', () => {
    expect(() => decodeLeaseRequest(bytes({ ...common, action: 'renew', durationMs: 15_000 }))).toThrow(
      MalformedMessageError,
    );
    expect(() => decodeLeaseRequest(bytes({ ...common, action: 'acquire', durationMs: 3_600_000 }))).toThrow(
      MalformedMessageError,
    );
  });
});
