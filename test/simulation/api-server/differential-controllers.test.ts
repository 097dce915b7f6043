/** What the model's controllers do, beside a real kube-controller-manager: both come to rest in the same states. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suiteIsHere } from '../../conformance/suite.ts';
import { type Act, controllerCases } from './differential/controller-cases.ts';
import { type Servers, startServers } from './differential/servers.ts';
import { stateOf } from './differential/state.ts';
import type { Target } from './differential/target.ts';
import { equal, isObj, textAt, type Value } from './json/value.ts';

/** The real controllers take their time: the state that is expected is waited for. */
const PATIENCE_MS = 60_000;
const POLL_MS = 50;
/** A state that is only passed through does not count. */
const RESTED_LOOKS = 5;

const unless = suiteIsHere() ? '' : ' (skipped: no definitions of the conformance suite beside the checkout)';

describe.skipIf(!suiteIsHere())(`model and kube-controller-manager${unless}`, () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers(true, []);
    for (const [name, volumeBindingMode] of [
      ['manual', 'Immediate'],
      ['wffc', 'WaitForFirstConsumer'],
    ] as const)
      for (const target of [servers.model.target, servers.real])
        await target.request('POST', '/apis/storage.k8s.io/v1/storageclasses', {
          metadata: { name },
          provisioner: 'csi.example',
          volumeBindingMode,
        });
  });
  afterAll(() => servers?.stop());

  test.concurrent.each(Object.entries(controllerCases).map(([name, acts], i) => [name, acts, `k${i}`] as const))(
    '%s',
    async (_, acts, namespace) => {
      const { model, real } = servers;
      const expected = await play(model.target, namespace, acts, async () => {
        while (model.server.background());
        return stateOf(model.target, namespace);
      });
      const found = await play(real, namespace, acts, async (i) => {
        const deadline = performance.now() + PATIENCE_MS;
        let rested = 0;
        for (;;) {
          const state = await stateOf(real, namespace);
          rested = equal(state, expected[i]) ? rested + 1 : 0;
          if (rested >= RESTED_LOOKS || performance.now() > deadline) return state;
          await sleep(POLL_MS);
        }
      });
      expect(found).toEqual(expected);
    },
  );
});

/** States at each `settle`, and the statuses of all answers at the end. */
async function play(
  target: Target,
  namespace: string,
  acts: readonly Act[],
  settled: (index: number) => Promise<Value>,
): Promise<Value[]> {
  const states: Value[] = [];
  const statuses: Value[] = [];
  const uids = new Map<string, string>([['gone', '11111111-1111-4111-8111-111111111111']]);
  const filled = (text: string): string => {
    const known = text.startsWith('uid:') ? uids.get(text.slice('uid:'.length)) : undefined;
    return known ?? text.replaceAll('{ns}', namespace);
  };
  await target.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  for (const act of acts) {
    if (act.act === 'settle') {
      states.push(await settled(states.length));
      continue;
    }
    const { status, body } = await target.request(
      act.method,
      filled(act.path),
      mapTexts(act.body, filled),
      act.contentType,
    );
    statuses.push(status);
    const [name, uid] = [textAt(body, 'metadata', 'name'), textAt(body, 'metadata', 'uid')];
    if (act.method === 'POST' && name !== undefined && uid !== undefined) uids.set(name, uid);
  }
  return [...states, statuses];
}

function mapTexts(value: Value | undefined, to: (text: string) => string): Value | undefined {
  if (typeof value === 'string') return to(value);
  if (Array.isArray(value)) return value.map((v) => mapTexts(v, to) ?? null);
  if (!isObj(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, mapTexts(v, to)]));
}
