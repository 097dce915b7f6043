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
const PATIENCE_MS = 3_000;

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

interface Replayed {
  readonly compared: number;
  /** Requests for objects that real controllers had treated earlier or later than the model's: nothing can be said of them. */
  readonly passed: number;
  readonly differences: readonly string[];
}

async function replay(real: Target, exchanges: readonly Exchange[]): Promise<Replayed> {
  const ids = new Counterparts();
  const differences: string[] = [];
  let [compared, passed] = [0, 0];
  for (const { request, answer, before } of exchanges) {
    const { method, path, contentType } = request;
    const route = routeOf(path);
    if (!isCompared(route) && method === 'GET') continue;
    const named = objectPath(path);
    const isSame =
      before === undefined ||
      named === undefined ||
      (await untilSame(ids, before, () => real.request('GET', ids.text(named)))) === undefined;
    const body = request.body === undefined ? undefined : ids.translated(request.body as Value);
    const send = (): Promise<Answer> => real.request(method, ids.text(path), body, contentType);
    if (!isSame) {
      passed++;
      if (method !== 'GET') await send();
    } else if (method !== 'GET' || named !== undefined) {
      compared++;
      const found = differenceOf(ids, answer, await send());
      if (found !== undefined) differences.push(`${method} ${path} ${found}`);
    }
  }
  return { compared, passed, differences };
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
    const { compared, passed, differences } = await replay(servers.real, await recorded(scenario));
    process.stdout.write(
      `${scenario}: ${compared} compared, ${passed} passed over, ${differences.length} differences\n`,
    );
    for (const line of new Set(differences)) process.stdout.write(`  ${line.slice(0, 500)}\n`);
  } finally {
    await servers.stop();
  }
}
