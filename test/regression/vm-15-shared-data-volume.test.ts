// A VM does not start when a data volume becomes ready that it merely refers to (kubevirt PR 7104).
import { expect, test } from 'vitest';
import { anyController } from '../../functions/core/controller.ts';
import type { KubeObject } from '../../functions/core/objects.ts';
import { vm } from '../../functions/vm/reads.ts';
import { Deliveries } from '../events/relay/support/deliveries.ts';

const object = (apiVersion: string, kind: string, name: string, rest: object): KubeObject =>
  ({ apiVersion, kind, metadata: { name, namespace: 'ns' }, ...rest }) as KubeObject;
const machine = (name: string, ...volumes: object[]) =>
  object('kubevirt.io/v1', 'VirtualMachine', name, { spec: { template: { spec: { domain: {}, volumes } } } });
const shared = (phase: string) => object('cdi.kubevirt.io/v1beta1', 'DataVolume', 'shared', { status: { phase } });

test('the VMs that name it are visited once, however they name it; others are not', async () => {
  const relay = new Deliveries(
    [anyController(vm)],
    machine('by-data-volume', { name: 'a', dataVolume: { name: 'shared' } }),
    machine('by-claim', { name: 'a', persistentVolumeClaim: { claimName: 'shared' } }),
    machine('unrelated', { name: 'a', dataVolume: { name: 'other' } }),
    shared('ImportInProgress'),
  );
  await relay.start();
  relay.see(shared('Succeeded'));
  expect((await relay.newKeys()).toSorted()).toEqual(['vm ns/by-claim', 'vm ns/by-data-volume']);
});
