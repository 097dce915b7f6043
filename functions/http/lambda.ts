import { Hono } from 'hono';
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import type { Clock } from './clock.ts';
import type { FunctionApp } from './signed-app.ts';

/** Kept back of a call's time, for encoding and signing the answer and for the way out. */
const MARGIN_MS = 1_000;

/** The handler that Lambda calls with an event of payload format 2 (function URLs, HTTP APIs). */
export type LambdaHandler = (event: LambdaEvent, context: LambdaContext) => ReturnType<ReturnType<typeof handle>>;

/** Lambda's context says how long a call may take; a call without it is refused, since it could not stop in time. */
export function lambdaHandler(app: FunctionApp, clock: Clock): LambdaHandler {
  const adapter = new Hono<{ Bindings: { readonly lambdaContext: LambdaContext } }>();
  adapter.all('*', (c) => {
    const remainingMs = c.env.lambdaContext.getRemainingTimeInMillis();
    return app.fetch(c.req.raw, { deadlineMs: clock() + remainingMs - MARGIN_MS });
  });
  const adapted = handle(adapter);
  return async (event, context) => {
    // Types promise it; a caller from outside TypeScript may break the promise.
    if (typeof (context as Partial<LambdaContext> | undefined)?.getRemainingTimeInMillis !== 'function')
      throw new Error('called without a Lambda context');
    return adapted(event, context);
  };
}
