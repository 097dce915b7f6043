import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeReconcileAnswer, encode } from '../../../events/envelope/decode.ts';
import type { ReconcileAnswer } from '../../../events/envelope/envelope.ts';
import { MAX_BODY_BYTES } from '../../../events/envelope/limits.ts';
import { signRequest, verifyAnswer } from '../../../events/envelope/signing.ts';
import { lambdaHandler } from '../../../functions/http/lambda.ts';
import { lambdaContext, lambdaEvent } from '../support/lambda-event.ts';
import { type LocalTable, startLocalTable } from '../support/local-table.ts';
import { partOf, type Widget, widgetBatch, widgetItem } from '../support/widget.ts';
import { keys, takeLease, widgetService } from '../support/widget-service.ts';

const audience = 'reconcile/widget';
const path = '/v1/reconcile/widget';
let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
  await takeLease(table, Date.now());
});
afterAll(() => table.stop());

interface Result {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

async function call(encoding: 'text' | 'base64', remainingMs = 15_000) {
  const handler = lambdaHandler(widgetService(table).app, Date.now);
  // Beyond ASCII, so that the bytes that were signed are more than its characters.
  const request = widgetBatch([widgetItem('a', 'done', { primary: null })]);
  const body = encode({ ...request, configuration: { ...request.configuration, skipBackupHooks: 'ja, überall ✓' } });
  const headers = signRequest(keys, { audience, id: request.deliveryId, body }, Date.now());
  const result = (await handler(lambdaEvent(path, headers, body, encoding), lambdaContext(remainingMs))) as Result;
  return { request, result };
}

describe('an event of payload format 2', () => {
  test.each(['text', 'base64'] as const)('with its body as %s is answered, signed', async (encoding) => {
    const { request, result } = await call(encoding);
    expect(result).toMatchObject({ statusCode: 200, isBase64Encoded: false });
    const body = new TextEncoder().encode(result.body);
    const message = {
      audience,
      id: request.deliveryId,
      token: 1,
      headers: (n: string) => result.headers[n],
      body,
    } as const;
    verifyAnswer(keys, message, Date.now());
    expect(decodeReconcileAnswer(body, request).items[0]?.outcome.type).toBe('done');
  });

  test('with no time left is not begun', async () => {
    const { result } = await call('text', 500);
    expect(result.statusCode).toBe(503);
  });
});

describe('near the end of its time', () => {
  const items = (result: Result) => (JSON.parse(result.body) as ReconcileAnswer).items;
  const invoke = async (names: readonly (readonly [string, string])[], remainingMs: number) => {
    const request = widgetBatch(names.map(([name, script]) => widgetItem(name, script)));
    const body = encode(request);
    const headers = signRequest(keys, { audience, id: request.deliveryId, body }, Date.now());
    const handler = lambdaHandler(widgetService(table).app, Date.now);
    return (await handler(lambdaEvent(path, headers, body, 'text'), lambdaContext(remainingMs))) as Result;
  };

  test('what is finished is answered, what is not is left and hands out nothing; then nothing of it is half done', async () => {
    const held = Promise.withResolvers<void>();
    const landed: Promise<unknown>[] = [];
    table.intercept = (command, proceed) => {
      if (command !== 'PutItemCommand') return proceed();
      const write = held.promise.then(proceed);
      landed.push(write);
      return write;
    };
    const result = await invoke(
      [
        ['slow', 'make'],
        ['quick', 'done'],
      ],
      1_300,
    );
    // It came although the write was still under way.
    expect(result.statusCode).toBe(200);
    expect(items(result)).toMatchObject([
      { key: 'default/slow', outcome: { type: 'left' }, actions: [] },
      { key: 'default/quick', outcome: { type: 'done' } },
    ]);
    // Lambda freezes the function here and goes on with it at the next call: the row is written then.
    table.intercept = undefined;
    held.resolve();
    await Promise.all(landed);
    const wanted = partOf(widgetItem('slow', 'make').primary as Widget);
    const again = await invoke([['slow', 'make']], 15_000);
    expect(items(again)).toMatchObject([{ outcome: { type: 'done' }, actions: [{ verb: 'create', object: wanted }] }]);
  });

  test('an envelope of more than Lambda passes on is refused before its body is looked at', async () => {
    const handler = lambdaHandler(widgetService(table).app, Date.now);
    const event = lambdaEvent(path, {}, new Uint8Array(MAX_BODY_BYTES + 1), 'base64');
    expect(await handler(event, lambdaContext(15_000))).toMatchObject({ statusCode: 413 });
  });
});

test('a call without a context is refused: it could not stop in time', async () => {
  const handler = lambdaHandler(widgetService(table).app, Date.now);
  const event = lambdaEvent(path, {}, new Uint8Array(), 'text');
  await expect(handler(event, undefined as never)).rejects.toThrow('context');
});
