import type { Api, Definition } from './definition.ts';
import { integer, type JsonSchema, listOf, object, text } from './schema.ts';

const api: Api = { group: 'instancetype.kubevirt.io', versions: [{ name: 'v1beta1' }] };
const common = { api, statusSubresource: false, columns: [] } as const;

const quantity: JsonSchema = { 'x-kubernetes-int-or-string': true };

const instancetypeSpec = object(
  {
    cpu: object({ guest: integer, maxSockets: integer, model: text }, ['guest']),
    memory: object(
      { guest: quantity, maxGuest: quantity, overcommitPercent: { ...integer, minimum: 0, maximum: 100 } },
      ['guest'],
    ),
    gpus: listOf(object({ name: text }, ['name'])),
    hostDevices: listOf(object({ name: text }, ['name'])),
    nodeSelector: object(),
    annotations: object(),
  },
  ['cpu', 'memory'],
);

const preferenceSpec = object({
  cpu: object({ preferredCPUTopology: text, spreadOptions: object({ across: text, ratio: integer }) }),
  clock: object(),
  devices: object(),
  features: object(),
  firmware: object(),
  machine: object({ preferredMachineType: text }),
  annotations: object(),
});

/** Instance types and preferences, of a namespace and of the cluster. */
export const instanceTypes: readonly Definition[] = [
  {
    ...common,
    kind: 'VirtualMachineInstancetype',
    singular: 'virtualmachineinstancetype',
    plural: 'virtualmachineinstancetypes',
    shortNames: ['vminstancetype', 'vminstancetypes', 'vmf', 'vmfs'],
    spec: instancetypeSpec,
  },
  {
    ...common,
    scope: 'Cluster',
    kind: 'VirtualMachineClusterInstancetype',
    singular: 'virtualmachineclusterinstancetype',
    plural: 'virtualmachineclusterinstancetypes',
    shortNames: ['vmclusterinstancetype', 'vmclusterinstancetypes', 'vmcf', 'vmcfs'],
    spec: instancetypeSpec,
  },
  {
    ...common,
    kind: 'VirtualMachinePreference',
    singular: 'virtualmachinepreference',
    plural: 'virtualmachinepreferences',
    shortNames: ['vmpref', 'vmprefs', 'vmp', 'vmps'],
    spec: preferenceSpec,
  },
  {
    ...common,
    scope: 'Cluster',
    kind: 'VirtualMachineClusterPreference',
    singular: 'virtualmachineclusterpreference',
    plural: 'virtualmachineclusterpreferences',
    shortNames: ['vmcp', 'vmcps'],
    spec: preferenceSpec,
  },
];
