// The context that is needed for the deadline is never registered, and only a warning says so (powertools issue 1482).
import { expect, test } from 'vitest';
import { lambdaHandler } from '../../functions/http/lambda.ts';
import type { FunctionApp } from '../../functions/http/signed-app.ts';
import { lambdaContext, lambdaEvent } from '../functions/support/lambda-event.ts';

const event = lambdaEvent('/healthz', {}, new Uint8Array(), 'text');

test('a handler can not be called without its context, by its type and when it runs', async () => {
  const app: FunctionApp = { fetch: (_, { deadlineMs }) => new Response(String(deadlineMs)) };
  const handler = lambdaHandler(app, () => 1_000);
  // @ts-expect-error -- the context is required
  await expect(handler(event)).rejects.toThrow('without a Lambda context');
  const result = await handler(event, lambdaContext(5_000));
  expect(result).toMatchObject({ body: '5000' });
});

test('an app can not be called without its deadline, by its type', () => {
  const app: FunctionApp = { fetch: () => new Response() };
  // @ts-expect-error -- the invocation is required
  expect(() => app.fetch(new Request('http://f/'))).not.toThrow();
});
