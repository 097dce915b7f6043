import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { encode } from '../../events/envelope/decode.ts';
import type { LeaseAnswer, ReconcileAnswer } from '../../events/envelope/envelope.ts';
import { MalformedMessageError, MessageTooLargeError } from '../../events/envelope/errors.ts';
import { MAX_BODY_BYTES } from '../../events/envelope/limits.ts';
import { PROBLEM_MEDIA_TYPE, type Problem } from '../../events/envelope/problem.ts';
import { type Audience, type SigningKeys, signAnswer, verifyRequest } from '../../events/envelope/signing.ts';
import type { Clock } from './clock.ts';
import { errorFields, type Log } from './log.ts';
import type { RefusalSink } from './metrics.ts';
import { problemOf } from './problem-of.ts';

/** What an adapter knows of one call. There is no call without it. */
export interface Invocation {
  /** When the answer must be under way, by this function's clock. */
  readonly deadlineMs: number;
}

/** A function as its adapters see it. */
export interface FunctionApp {
  fetch(request: Request, invocation: Invocation): Response | Promise<Response>;
}

/** What an answer is made of before it is signed. */
export interface Answered {
  readonly message: ReconcileAnswer | LeaseAnswer;
  /** The request's token, 0 where it has none. */
  readonly token: number;
}

export interface SignedAppParts {
  readonly audience: Audience;
  readonly keys: SigningKeys;
  readonly clock: Clock;
  readonly log: Log;
  /** Answers the body of a request whose signature is good. `id` is the signature's. What it throws becomes a problem. */
  readonly answer: (body: Uint8Array, id: string, deadlineMs: number) => Promise<Answered>;
  readonly onRefusal?: RefusalSink;
}

export function pathOf(audience: Audience): string {
  return `/v1/${audience}`;
}

/** `POST /v1/<audience>`, signed both ways, and `GET /healthz`. */
export function createSignedApp({ audience, keys, clock, log, answer, onRefusal }: SignedAppParts): FunctionApp {
  const app = new Hono<{ Bindings: Invocation }>();
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.post(
    pathOf(audience),
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: () => {
        throw new MessageTooLargeError(`more than ${MAX_BODY_BYTES} bytes`);
      },
    }),
    async (c) => {
      const body = new Uint8Array(await c.req.arrayBuffer());
      const { id } = verifyRequest(keys, { audience, headers: (name) => c.req.header(name), body }, clock());
      const { message, token } = await answer(body, id, c.env.deadlineMs);
      const bytes = encode(message);
      const signature = signAnswer(keys, { audience, id, token, body: bytes }, clock());
      return c.body(bytes, 200, { 'content-type': 'application/json', ...signature });
    },
  );
  app.notFound(() => problemResponse({ type: 'not-found', title: 'Not found', status: 404 }));
  app.onError((error) => {
    const problem = problemOf(error);
    const level = problem.status < 500 ? 'warn' : 'error';
    log[level]('refused', { audience, problem: problem.type, status: problem.status, ...errorFields(error) });
    onRefusal?.(problem.type);
    return problemResponse(problem);
  });
  return app;
}

/** The signature's id is the message's, so that a signed answer belongs to one message. */
export function requireId(id: string, messageId: string): void {
  if (id !== messageId) throw new MalformedMessageError("the signature's id is not the message's");
}

function problemResponse(problem: Problem): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': PROBLEM_MEDIA_TYPE },
  });
}
