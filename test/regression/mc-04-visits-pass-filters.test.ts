// The periodic resync is dropped by a filter that ignores changes of the status (metacontroller PR 1252).
import { describe, expect, test } from 'vitest';
import { visitPeriodically } from '../../events/relay/delivery/periodic-visits.ts';
import { anyController, defineController } from '../../functions/core/controller.ts';
import { PersistentVolumeClaim, Pod, VirtualMachineInstance } from '../../functions/core/kinds.ts';
import { byNamespace } from '../../functions/core/object-index.ts';
import type { KubeObject, VirtualMachineInstance as Vmi } from '../../functions/core/objects.ts';
import { many } from '../../functions/core/reads.ts';
import { vm } from '../../functions/vm/reads.ts';
import { vmi } from '../../functions/vmi/reads.ts';
import { Deliveries } from '../events/relay/support/deliveries.ts';

const HOUR_MS = 3_600_000;

/** Sees of objects neither status nor labels. */
const identity = <T extends KubeObject>(o: T): T => {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = o.metadata;
  const metadata = { name, namespace, uid, resourceVersion, deletionTimestamp };
  return { apiVersion: o.apiVersion, kind: o.kind, metadata, spec: {} } as unknown as T;
};
const filtering = anyController(
  defineController({
    name: 'filtering',
    primary: VirtualMachineInstance,
    concurrency: 2,
    eventSource: 'test',
    project: identity,
    reads: {
      pods: many(Pod)
        .by(byNamespace, (v: Vmi) => v.metadata.namespace)
        .only(identity),
      claims: many(PersistentVolumeClaim)
        .by(byNamespace, (v: Vmi) => v.metadata.namespace)
        .quietly(),
    },
  }),
);

function seen(kind: string, name: string, metadata: object = {}, status: object = {}): KubeObject {
  const apiVersion = kind.startsWith('VirtualMachine') ? 'kubevirt.io/v1' : 'v1';
  const spec = { containers: [], domain: {}, template: { spec: { domain: {} } } };
  return { apiVersion, kind, metadata: { name, namespace: 'ns', ...metadata }, spec, status } as KubeObject;
}
const dying = { deletionTimestamp: '2026-12-01T00:00:00Z' };

async function started() {
  const relay = new Deliveries([filtering], seen('VirtualMachineInstance', 'a'), seen('Pod', 'p'));
  expect(await relay.start()).toEqual(['filtering ns/a']);
  return relay;
}

describe('a controller that sees no status', () => {
  test('is not called for changes of it', async () => {
    const relay = await started();
    for (let i = 0; i < 100; i++) {
      relay.see(seen('VirtualMachineInstance', 'a', {}, { i }), seen('Pod', 'p', {}, { i }));
      relay.see(seen('PersistentVolumeClaim', `c${i}`));
    }
    expect(await relay.newKeys()).toEqual([]);
  });

  test.each(['VirtualMachineInstance', 'Pod'])(
    'is called when a %s begins to be deleted, and when it is gone',
    async (kind) => {
      const relay = await started();
      const name = kind === 'Pod' ? 'p' : 'a';
      relay.see(seen(kind, name, dying));
      expect(await relay.newKeys()).toEqual(['filtering ns/a']);
      relay.seeGone(seen(kind, name, dying));
      expect(await relay.newKeys()).toEqual(['filtering ns/a']);
    },
  );

  test('is called when its time has come, though only the status changed meanwhile', async () => {
    const relay = await started();
    relay.decide = () => ({ outcome: { type: 'requeue-after', afterMs: 60_000 }, actions: [] });
    relay.see(seen('VirtualMachineInstance', 'a', dying));
    await relay.newKeys();
    for (let second = 0; second < 55; second++) {
      relay.see(seen('VirtualMachineInstance', 'a', dying, { second }));
      expect(await relay.newKeys()).toEqual([]);
    }
    await relay.time.advance(11_000);
    expect(await relay.newKeys()).toEqual(['filtering ns/a']);
  });

  test('is called with every key at every periodic visit, though nothing changed at all', async () => {
    const relay = await started();
    relay.see(seen('VirtualMachineInstance', 'b'));
    await relay.newKeys();
    const cancel = visitPeriodically(relay.time.ports.timers, 12 * HOUR_MS, () => relay.visitAll());
    for (let day = 0; day < 3; day++) {
      for (let half = 0; half < 2; half++) {
        await relay.time.advance(12 * HOUR_MS);
        expect((await relay.newKeys()).sort()).toEqual(['filtering ns/a', 'filtering ns/b']);
      }
    }
    cancel();
    await relay.time.advance(24 * HOUR_MS);
    expect(await relay.newKeys()).toEqual([]);
  });
});

test.each([
  [anyController(vm), 'VirtualMachine'],
  [anyController(vmi), 'VirtualMachineInstance'],
])('$name: periodic visits and deletions pass', async (controller, kind) => {
  const object = seen(kind, 'a');
  const relay = new Deliveries([controller], object);
  await relay.start();
  relay.visitAll();
  expect(await relay.newKeys()).toEqual([`${controller.name} ns/a`]);
  relay.see({ ...object, metadata: { ...object.metadata, ...dying } });
  expect(await relay.newKeys()).toEqual([`${controller.name} ns/a`]);
});
