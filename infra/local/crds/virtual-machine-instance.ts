import { age, conditionColumn, type Definition } from './definition.ts';
import { conditions, integer, type JsonSchema, listOf, named, object, text } from './schema.ts';

/** KubeVirt's bound on disks, interfaces, networks and volumes. */
const maxItems = 256;

const domain = object(
  {
    devices: object({ disks: named({}, maxItems), interfaces: named({}, maxItems) }),
    cpu: object({ cores: integer, sockets: integer, threads: integer }),
    resources: object(),
    firmware: object({ uuid: text, serial: text }),
  },
  ['devices'],
);

const volumes = named(
  {
    containerDisk: object({ image: text }, ['image']),
    persistentVolumeClaim: object({ claimName: text }, ['claimName']),
    dataVolume: object({ name: text }, ['name']),
    ephemeral: object({ persistentVolumeClaim: object({ claimName: text }, ['claimName']) }),
    hostDisk: object({ path: text, type: text }, ['path', 'type']),
    memoryDump: object({ claimName: text }, ['claimName']),
    emptyDisk: object({}, ['capacity']),
  },
  maxItems,
);

/** Spec of a VMI; also what a VM's template holds. */
export const instanceSpec: JsonSchema = object(
  {
    domain,
    volumes,
    networks: named({ multus: object({ networkName: text }, ['networkName']) }, maxItems),
    nodeSelector: object(),
    affinity: object(),
    tolerations: listOf(object()),
    terminationGracePeriodSeconds: { ...integer, format: 'int64' },
  },
  ['domain'],
);

export const virtualMachineInstance: Definition = {
  kind: 'VirtualMachineInstance',
  singular: 'virtualmachineinstance',
  plural: 'virtualmachineinstances',
  shortNames: ['vmi', 'vmis'],
  // Its status is written with the whole object.
  statusSubresource: false,
  columns: [
    age,
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'IP', type: 'string', jsonPath: '.status.interfaces[0].ipAddress' },
    { name: 'NodeName', type: 'string', jsonPath: '.status.nodeName' },
    conditionColumn('Ready'),
    conditionColumn('Live-Migratable', 'LiveMigratable', 1),
    conditionColumn('Paused', 'Paused', 1),
  ],
  spec: instanceSpec,
  status: object({ phase: text, nodeName: text, conditions }),
};
