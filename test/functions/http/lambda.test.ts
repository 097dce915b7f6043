import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeReconcileAnswer, encode } from '../../../events/envelope/decode.ts';
import { signRequest, verifyAnswer } from '../../../events/envelope/signing.ts';
import { lambdaHandler } from '../../../functions/http/lambda.ts';
import { lambdaContext, lambdaEvent } from '../support/lambda-event.ts';
import { type LocalTable, startLocalTable } from '../support/local-table.ts';
import { widgetBatch, widgetItem } from '../support/widget.ts';
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
