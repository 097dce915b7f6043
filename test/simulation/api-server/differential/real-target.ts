import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionOf, type KubeConnection } from '../../../../infra/local/kube-client.ts';
import type { Obj, Value } from '../json/value.ts';
import { type Answer, type Event, type Stream, type Target, upTo } from './target.ts';

/** Against hangs only. */
const HANG_MS = 20_000;
const POLL_MS = 5;

export function realTarget(kubeconfigFile: string): Target {
  const connection = connectionOf(kubeconfigFile);
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca: connection.certificateAuthority });
  return {
    request: async (method, path, body, contentType = 'application/json') => {
      const data = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
      return answerOf(await send(connection, agent, method, path, data, contentType));
    },
    watch: async (path) => {
      const response = await send(connection, agent, 'GET', path);
      return response.statusCode === 200 ? streamOf(response) : answerOf(response);
    },
  };
}

function send(
  { server, token }: KubeConnection,
  agent: Agent,
  method: string,
  path: string,
  data?: string,
  contentType?: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(data === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(data) }),
    };
    const request = httpsRequest(new URL(path, server), { method, agent, headers });
    request.once('error', reject);
    request.once('response', resolve);
    request.end(data);
  });
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const status = response.statusCode ?? 0;
  try {
    return { status, body: JSON.parse(text) as Value };
  } catch {
    return { status, body: text };
  }
}

function streamOf(response: IncomingMessage): Stream {
  const events: Event[] = [];
  let rest = '';
  response.setEncoding('utf8');
  response.on('error', () => undefined);
  response.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') events.push(JSON.parse(line) as { type: string; object: Obj });
  });
  return {
    until: async (name) => {
      for (const deadline = performance.now() + HANG_MS; performance.now() < deadline; await sleep(POLL_MS)) {
        const found = upTo(events, name);
        if (found !== undefined) return found;
      }
      return events;
    },
    close: () => response.destroy(),
  };
}
