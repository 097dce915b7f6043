// A queue shared by two controllers runs the wrong callback (pepr PR 1119).
import { expect, test } from 'vitest';
import { anyController } from '../../functions/core/controller.ts';
import type { KubeObject } from '../../functions/core/objects.ts';
import { vm } from '../../functions/vm/reads.ts';
import { vmi } from '../../functions/vmi/reads.ts';
import { Deliveries } from '../events/relay/support/deliveries.ts';
import { pod } from '../events/relay/support/objects.ts';

const EVENTS = 1000;
const NAMES = Array.from({ length: 12 }, (_, i) => `g${i}`);

function kubevirt(kind: string, name: string, round: number): KubeObject {
  const metadata = { name, namespace: 'ns', uid: `uid-${kind}-${name}`, labels: { round: String(round) } };
  const spec = { domain: {}, template: { spec: { domain: {} } } };
  return { apiVersion: 'kubevirt.io/v1', kind, metadata, spec } as KubeObject;
}
const launcher = (name: string, round: number) =>
  pod(`launcher-${name}`, 0, { owner: `uid-VirtualMachineInstance-${name}`, labels: { round: String(round) } });

/** What concerns which controller: VMs are read by `vm`, VMIs by both, pods by `vmi` alone. */
const streams = [
  { make: (name: string, i: number) => kubevirt('VirtualMachine', name, i), concerns: ['vm'] },
  { make: (name: string, i: number) => kubevirt('VirtualMachineInstance', name, i), concerns: ['vm', 'vmi'] },
  { make: launcher, concerns: ['vmi'] },
] as const;

test('two controllers over the same kinds, a thousand events mixed: each gets exactly its keys, in their last state', async () => {
  const objects = NAMES.flatMap((name) => streams.map(({ make }) => make(name, 0)));
  const relay = new Deliveries([anyController(vm), anyController(vmi)], ...objects);
  await relay.start();
  // Answers come later than the next events, so that keys wait, are dirty, and travel in batches of both.
  relay.latencyMs = 50;
  const { random } = relay.time.ports;
  const wanted = new Set<string>();
  const last = new Map<string, number>();
  for (let i = 1; i <= EVENTS; i++) {
    const name = NAMES[Math.floor(random.next() * NAMES.length)] ?? '';
    const stream = streams[Math.floor(random.next() * streams.length)];
    if (stream === undefined) continue;
    const object = stream.make(name, i);
    relay.see(object);
    for (const controller of stream.concerns) wanted.add(`${controller} ns/${name}`);
    last.set(`${object.kind} ${name}`, i);
    if (random.next() < 0.2) await relay.time.advance(Math.floor(random.next() * 40));
  }
  await relay.time.advance(10_000);

  const got = new Set(relay.delivered.map(({ controller, item }) => `${controller} ${item.key}`));
  expect([...got].sort()).toEqual([...wanted].sort());
  for (const { controller, item } of relay.delivered) {
    expect(item.primary?.kind).toBe(controller === 'vm' ? 'VirtualMachine' : 'VirtualMachineInstance');
    expect(Object.keys(item.reads)).toEqual(Object.keys((controller === 'vm' ? vm : vmi).reads));
    expect(item.primary?.metadata.name).toBe(item.key.slice('ns/'.length));
  }
  for (const name of NAMES) {
    const shown = (controller: string) =>
      relay.delivered.findLast((d) => d.controller === controller && d.item.key === `ns/${name}`)?.item;
    const round = (o: unknown) => Number((o as KubeObject | undefined)?.metadata.labels?.['round'] ?? 0);
    expect(round(shown('vmi')?.primary)).toBe(last.get(`VirtualMachineInstance ${name}`) ?? 0);
    expect(round((shown('vmi')?.reads['pods'] as KubeObject[] | undefined)?.[0])).toBe(last.get(`Pod ${name}`) ?? 0);
    expect(round(shown('vm')?.primary)).toBe(last.get(`VirtualMachine ${name}`) ?? 0);
    expect(round(shown('vm')?.reads['instance'])).toBe(last.get(`VirtualMachineInstance ${name}`) ?? 0);
  }
});
