import { describe, expect, test } from 'vitest';
import { Caches } from '../../../events/relay/cache/caches.ts';
import { KubeApi } from '../../../events/relay/kube/api.ts';
import { Reflectors } from '../../../events/relay/reflector/reflectors.ts';
import { ConfigMap, NetworkAttachmentDefinition, Pod, VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import { ScriptedHttp } from './support/scripted-http.ts';
import { VirtualTime } from './support/virtual-time.ts';

const definition = (resourceVersion: number, dying = false) => ({
  metadata: {
    name: 'virtualmachineinstances.kubevirt.io',
    uid: 'd',
    resourceVersion: String(resourceVersion),
    ...(dying && { deletionTimestamp: '2026-12-01T00:00:00Z' }),
  },
  spec: { group: 'kubevirt.io', names: { plural: 'virtualmachineinstances' } },
  status: { conditions: [{ type: 'Established', status: 'True' }] },
});
const vmi = (resourceVersion: number) => ({
  metadata: { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: String(resourceVersion) },
});

/** Reflectors of pods and VMIs; lists of VMIs that are `held` wait for `release`. */
async function running({ held = false, refused = false } = {}) {
  const http = new ScriptedHttp();
  const time = new VirtualTime();
  const caches = new Caches();
  const vmis = caches.of(VirtualMachineInstance);
  caches.of(Pod);
  const waiting: (() => void)[] = [];
  const state = { held, refused };
  http.answer = async ({ path }) => {
    const items = path.includes('definitions') ? [definition(5)] : path.includes('instances') ? [vmi(6)] : [];
    if (state.held && path.includes('instances')) await new Promise<void>((resolve) => waiting.push(resolve));
    if (state.refused && path.includes('instances')) return { status: 429, body: { reason: 'TooManyRequests' } };
    return { status: 200, body: { metadata: { resourceVersion: '10' }, items } };
  };
  const synced: string[] = [];
  const api = new KubeApi(http, time.ports.timers, () => Promise.resolve());
  const reflectors = new Reflectors(caches, api, time.ports, ({ kind }) => synced.push(kind));
  reflectors.start();
  await time.advance(100);
  const streamOf = (plural: string) => http.streams.findLast((s) => s.path.split('?')[0]?.endsWith(`/${plural}`));
  const defined = async (type: string, object: object) => {
    streamOf('customresourcedefinitions')?.send({ type, object });
    await time.advance(100);
  };
  const release = async () => {
    for (const resolve of waiting.splice(0)) resolve();
    await time.advance(100);
  };
  return { time, vmis, reflectors, synced, streamOf, defined, release, state };
}

test('a kind whose storage is long in starting is listed within a second of being served', async () => {
  const r = await running({ refused: true });
  await r.time.advance(20_000);
  expect(r.reflectors.stateOf(VirtualMachineInstance)).toBe('unknown');
  r.state.refused = false;
  await r.time.advance(1000);
  expect(r.reflectors.stateOf(VirtualMachineInstance)).toBe('synced');
});

describe('a definition that is deleted', () => {
  test('its kind is followed until its last object is gone: somebody must remove their finalizers', async () => {
    const r = await running();
    await r.defined('MODIFIED', definition(11, true));
    expect(r.reflectors.stateOf(VirtualMachineInstance)).toBe('synced');
    expect([...r.vmis.keys()]).toEqual(['ns/a']);
    r.streamOf('virtualmachineinstances')?.send({ type: 'MODIFIED', object: vmi(12) });
    await r.time.advance(100);
    expect(r.vmis.get('ns/a')?.metadata.resourceVersion).toBe('12');
    await r.defined('DELETED', definition(13, true));
    expect(r.reflectors.stateOf(VirtualMachineInstance)).toBe('unserved');
    expect(r.vmis.size).toBe(0);
  });

  test('a list that is under way brings nothing back', async () => {
    const r = await running({ held: true });
    await r.defined('DELETED', definition(11));
    await r.release();
    expect(r.reflectors.stateOf(VirtualMachineInstance)).toBe('unserved');
    expect(r.vmis.size).toBe(0);
  });

  test('keys that waited for the kind are told that it is known not to be there', async () => {
    const r = await running({ held: true });
    r.synced.length = 0;
    await r.defined('DELETED', definition(11));
    expect(r.synced).toEqual(['VirtualMachineInstance']);
  });

  test('a new leader does not wait for its kind for ever', async () => {
    const r = await running();
    r.state.held = true;
    let done = false;
    void r.reflectors.relistAll(2).then(() => (done = true));
    await r.time.advance(1000);
    expect(done).toBe(false);
    await r.defined('DELETED', definition(11));
    expect(done).toBe(true);
  });

  test('and made anew: its kind is listed again', async () => {
    const r = await running();
    await r.defined('DELETED', definition(11));
    await r.defined('ADDED', definition(12));
    expect(r.reflectors.stateOf(VirtualMachineInstance)).toBe('synced');
    expect([...r.vmis.keys()]).toEqual(['ns/a']);
  });
});

describe('kinds on demand', () => {
  const attachments = {
    metadata: { name: 'network-attachment-definitions.k8s.cni.cncf.io', uid: 'd', resourceVersion: '5' },
    status: { conditions: [{ type: 'Established', status: 'True' }] },
  };

  async function relay(definitions: object[]) {
    const http = new ScriptedHttp();
    const time = new VirtualTime();
    const caches = new Caches();
    for (const kind of [Pod, ConfigMap, NetworkAttachmentDefinition]) caches.of(kind);
    http.answer = ({ path }) => {
      // As a real API server answers where only metadata is asked for, and there is none.
      const items = path.includes('customresourcedefinitions') ? definitions : null;
      return { status: 200, body: { metadata: { resourceVersion: '10' }, items } };
    };
    const synced: string[] = [];
    const api = new KubeApi(http, time.ports.timers, () => Promise.resolve());
    const reflectors = new Reflectors(caches, api, time.ports, ({ kind }) => synced.push(kind));
    reflectors.start();
    await time.advance(100);
    const listed = () => http.requests.filter(({ path }) => /configmaps|attachment/.test(path)).length;
    return { http, time, reflectors, synced, listed };
  }

  test('are not followed before somebody looks, and until then are not known', async () => {
    const r = await relay([attachments]);
    expect(r.listed()).toBe(0);
    expect(r.reflectors.health().map((k) => k.kind)).not.toContain('ConfigMap');
    for (const kind of [ConfigMap, NetworkAttachmentDefinition]) {
      expect(r.reflectors.stateOf(kind)).toBe('unknown');
      r.reflectors.demand(kind.kind);
      r.reflectors.demand(kind.kind);
      await r.time.advance(100);
      expect(r.reflectors.stateOf(kind)).toBe('synced');
    }
    expect(r.listed()).toBe(2);
    expect(r.synced).toEqual(['Pod', 'ConfigMap', 'NetworkAttachmentDefinition']);
  });

  test('one that is not served is empty; demanded before, it is followed from its definition on', async () => {
    const r = await relay([]);
    expect(r.reflectors.stateOf(NetworkAttachmentDefinition)).toBe('unserved');
    r.reflectors.demand(NetworkAttachmentDefinition.kind);
    expect(r.listed()).toBe(0);
    const definitions = r.http.streams.find((s) => s.path.includes('customresourcedefinitions'));
    definitions?.send({
      type: 'ADDED',
      object: { ...attachments, metadata: { ...attachments.metadata, resourceVersion: '11' } },
    });
    await r.time.advance(100);
    expect(r.reflectors.stateOf(NetworkAttachmentDefinition)).toBe('synced');
  });
});
