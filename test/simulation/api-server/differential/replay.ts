/**
 * By hand: runs a conformance scenario in the simulation, then sends every request that anybody made there, in the same order,
 * to a real API server with controllers, and says where the answers differ.
 *
 *   node replay.ts vm/restart vmi/lifecycle ...
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { simulate } from '../../scenario/simulate-scenario.ts';
import { ApiServer } from '../api-server.ts';
import type { Value } from '../json/value.ts';
import type { ApiRequest, ApiResponse } from '../ports.ts';
import { type Route, routeOf } from '../routes.ts';
import { Counterparts } from './counterpart.ts';
import { startServers } from './servers.ts';
import type { Answer, Target } from './target.ts';

interface Exchange {
  readonly request: ApiRequest;
  readonly answer: ApiResponse;
  /** The object that the request names, just before. */
  readonly before: ApiResponse | undefined;
}

type Request = (this: ApiServer, request: ApiRequest) => ApiResponse;

/** Controllers of the real server come after. */
const PATIENCE_MS = 5_000;

async function recorded(scenario: string): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const plain = Object.getOwnPropertyDescriptor(ApiServer.prototype, 'request')?.value as Request;
  ApiServer.prototype.request = function (this: ApiServer, request) {
    const named = objectPath(request.path);
    const before = named === undefined ? undefined : plain.call(this, { method: 'GET', path: named });
    const answer = plain.call(this, request);
    exchanges.push({ request, answer, before });
    return answer;
  };
  try {
    await simulate({ scenario });
  } finally {
    ApiServer.prototype.request = plain;
  }
  return exchanges;
}

/** Of the object that a path names, without subresource and query. */
function objectPath(path: string): string | undefined {
  const route = routeOf(path);
  if (route === undefined || route.name === '') return undefined;
  const { group, version, namespace, plural, name } = route;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}${namespace === '' ? '' : `/namespaces/${namespace}`}/${plural}/${name}`;
}

/** Lists of the whole cluster hold what is the real server's own. */
function isCompared(route: Route | undefined): boolean {
  return route !== undefined && (route.name !== '' || route.namespace !== '');
}

async function replay(real: Target, exchanges: readonly Exchange[], say: (line: string) => void): Promise<number> {
  const ids = new Counterparts();
  let compared = 0;
  for (const { request, answer, before } of exchanges) {
    const { method, path, contentType } = request;
    const route = routeOf(path);
    if (!isCompared(route) && method === 'GET') continue;
    const body = request.body === undefined ? undefined : ids.translated(request.body as Value);
    const named = objectPath(path);
    if (before !== undefined && named !== undefined) {
      const late = await untilSame(ids, before, () => real.request('GET', ids.text(named)));
      if (late !== undefined) say(`before ${method} ${path} ${late}`);
    }
    const send = (): Promise<Answer> =>
      real.request(method, ids.text(path), body && ids.translated(request.body as Value), contentType);
    compared++;
    const found = method === 'GET' ? await untilSame(ids, answer, send) : differenceOf(ids, answer, await send());
    if (found !== undefined) say(`${method} ${path} ${found}`);
  }
  return compared;
}

async function untilSame(
  ids: Counterparts,
  wanted: ApiResponse,
  ask: () => Promise<Answer>,
): Promise<string | undefined> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(50)) {
    const found = differenceOf(ids, wanted, await ask());
    if (found === undefined || performance.now() > deadline) return found;
  }
}

function differenceOf(ids: Counterparts, { status, body }: ApiResponse, real: Answer): string | undefined {
  if (status !== real.status) return `${status} -> ${real.status} ${JSON.stringify(real.body)}`;
  return status >= 400 ? undefined : ids.difference(body as Value, real.body);
}

for (const scenario of process.argv.slice(2)) {
  // Each scenario begins in a cluster of its own.
  const servers = await startServers(true);
  try {
    const differences: string[] = [];
    const compared = await replay(servers.real, await recorded(scenario), (line) => differences.push(line));
    process.stdout.write(`${scenario}: ${compared} requests, ${differences.length} differences\n`);
    for (const line of new Set(differences)) process.stdout.write(`  ${line.slice(0, 500)}\n`);
  } finally {
    await servers.stop();
  }
}
