/** The kinds that sequences write, with bodies and changes that are meant to be told apart. */
import type { Obj } from '../json/value.ts';

export interface Written {
  readonly plural: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly namespaced: boolean;
  readonly custom: boolean;
  readonly hasStatus: boolean;
  /** What a creation brings beside its metadata; the first is valid. */
  readonly bodies: readonly Obj[];
  /** Merge patches. */
  readonly changes: readonly Obj[];
}

const container = { name: 'c', image: 'registry.example/x:1' };
const vmiSpec = { domain: { devices: {} } };

const builtIn = { apiVersion: 'v1', namespaced: true, custom: false, hasStatus: false } as const;
const custom = { apiVersion: 'kubevirt.io/v1', namespaced: true, custom: true, hasStatus: true } as const;

export const kinds: readonly Written[] = [
  {
    ...builtIn,
    plural: 'configmaps',
    kind: 'ConfigMap',
    bodies: [
      { data: { a: '1' } },
      {},
      { data: {} },
      { data: { a: '1' }, immutable: true },
      { data: { a: 1 } },
      { odd: 1 },
    ],
    changes: [{ data: { a: '2' } }, { data: { a: null } }, { data: null }, { immutable: true }, { odd: { x: 1 } }, {}],
  },
  {
    ...builtIn,
    plural: 'secrets',
    kind: 'Secret',
    bodies: [
      { stringData: { a: 'b' } },
      { data: { a: 'Yg==' }, type: 'example.org/own' },
      { immutable: true, data: { a: 'Yg==' } },
    ],
    changes: [{ stringData: { a: 'c' } }, { type: 'example.org/other' }, { data: { b: 'Yg==' } }],
  },
  {
    ...builtIn,
    plural: 'pods',
    kind: 'Pod',
    hasStatus: true,
    bodies: [
      { spec: { containers: [container] } },
      { spec: { containers: [container], terminationGracePeriodSeconds: 0, automountServiceAccountToken: false } },
      {
        spec: {
          containers: [{ ...container, image: 'x', resources: { limits: { cpu: '0.5', memory: '1024Mi' } } }],
          restartPolicy: 'Never',
          nodeName: 'n',
          automountServiceAccountToken: false,
        },
      },
      { spec: { containers: [{ ...container, resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }] } },
      { spec: { containers: [container], nodeSelector: { 'bad key!': 'x' } } },
      { spec: { containers: [] } },
      { spec: { containers: [container], runtimeClassName: 'absent' } },
      { spec: { containers: [container], priorityClassName: 'absent' } },
      { spec: { containers: [container], serviceAccountName: 'absent' } },
      {
        spec: {
          automountServiceAccountToken: false,
          initContainers: [
            {
              name: 'i',
              image: 'y@sha256:0000000000000000000000000000000000000000000000000000000000000000',
              restartPolicy: 'Always',
            },
          ],
          containers: [
            {
              ...container,
              env: [
                { name: 'E', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
                { name: 'F', value: '' },
              ],
              ports: [{ containerPort: 80 }],
              readinessProbe: { exec: { command: ['x'] } },
              volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: false }],
              args: [],
              securityContext: { runAsUser: 0, privileged: false, capabilities: { add: [] } },
            },
          ],
          volumes: [
            { name: 'v' },
            { name: 's', secret: { secretName: 'x' } },
            { name: 'i', image: { reference: 'r:latest' } },
            { name: 'h', hostPath: { path: '/x' } },
            { name: 'e', emptyDir: { sizeLimit: '1024Ki' } },
          ],
          tolerations: [{ operator: 'Exists' }],
          hostNetwork: false,
          nodeSelector: {},
          readinessGates: [{ conditionType: 'example.org/ready' }],
        },
      },
    ],
    changes: [
      { spec: { containers: [{ name: 'c', image: 'registry.example/x:2' }] } },
      { spec: { nodeName: 'other' } },
      { spec: { tolerations: [] } },
      { spec: { activeDeadlineSeconds: 10 } },
      { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
      { status: { phase: 'Failed', reason: '' } },
      {
        status: {
          podIP: '10.0.0.1',
          podIPs: [{ ip: '10.0.0.1' }],
          qosClass: 'Guaranteed',
          startTime: '2026-01-01T00:00:00Z',
        },
      },
      {
        status: {
          containerStatuses: [
            { name: 'c', image: 'x', imageID: '', ready: false, restartCount: 0, state: { waiting: { reason: 'X' } } },
          ],
        },
      },
    ],
  },
  {
    ...builtIn,
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    hasStatus: true,
    bodies: [
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } } },
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          storageClassName: '',
          dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' },
        },
      },
      { spec: { resources: {} } },
    ],
    changes: [
      { spec: { volumeName: 'v' } },
      { spec: { accessModes: ['ReadWriteMany'] } },
      { spec: { resources: { requests: { storage: '2Gi' } } } },
      { status: { phase: 'Bound', capacity: { storage: '1024Mi' } } },
    ],
  },
  {
    ...builtIn,
    apiVersion: 'apps/v1',
    plural: 'controllerrevisions',
    kind: 'ControllerRevision',
    bodies: [{ revision: 0, data: { spec: { a: null, b: [] } } }, { revision: 3 }],
    changes: [{ revision: 2 }, { data: { spec: { a: 2 } } }],
  },
  {
    ...builtIn,
    apiVersion: 'coordination.k8s.io/v1',
    plural: 'leases',
    kind: 'Lease',
    bodies: [
      { spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.123456Z' } },
      {},
    ],
    changes: [{ spec: { holderIdentity: 'you' } }, { spec: { holderIdentity: '', leaseTransitions: 0 } }],
  },
  {
    ...builtIn,
    plural: 'resourcequotas',
    kind: 'ResourceQuota',
    hasStatus: true,
    bodies: [{ spec: { hard: { 'count/secrets': '1000m' } } }, { status: { hard: { pods: '1' } } }],
    changes: [
      { spec: { hard: { 'count/leases.coordination.k8s.io': '5' } } },
      { status: { hard: { 'count/secrets': '1' }, used: { 'count/secrets': '0' } } },
    ],
  },
  {
    ...builtIn,
    apiVersion: 'policy/v1',
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    hasStatus: true,
    bodies: [{ spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } }, { spec: {} }],
    changes: [
      { spec: { minAvailable: 2 } },
      { status: { disruptionsAllowed: 1, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } },
    ],
  },
  {
    ...builtIn,
    plural: 'nodes',
    kind: 'Node',
    namespaced: false,
    hasStatus: true,
    bodies: [{}, { spec: { unschedulable: true }, status: { capacity: { cpu: '4000m' } } }],
    changes: [
      { spec: { unschedulable: true } },
      { spec: { taints: null } },
      {
        status: {
          conditions: [{ type: 'Ready', status: 'True', reason: 'r', message: '' }],
          capacity: { cpu: '16', memory: '65536Mi' },
        },
      },
    ],
  },
  {
    ...builtIn,
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    namespaced: false,
    hasStatus: true,
    bodies: [
      {
        spec: {
          capacity: { storage: '1024Mi' },
          accessModes: ['ReadWriteOnce'],
          csi: { driver: 'd.example', volumeHandle: 'h' },
        },
      },
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'manual',
          csi: { driver: 'd.example', volumeHandle: 'h' },
          claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'x', name: 'y' },
        },
      },
      { spec: {} },
    ],
    changes: [{ status: { phase: 'Available' } }, { spec: { persistentVolumeReclaimPolicy: 'Delete' } }],
  },
  {
    ...custom,
    plural: 'virtualmachines',
    kind: 'VirtualMachine',
    bodies: [
      { spec: { running: true, template: { spec: vmiSpec } } },
      {
        spec: {
          runStrategy: 'Always',
          template: {
            metadata: { labels: { a: 'b' }, creationTimestamp: null },
            spec: { ...vmiSpec, odd: 1, volumes: [{ name: 'v', configMap: {} }] },
          },
        },
        status: { ready: true },
      },
      { spec: { template: {} } },
      { spec: { running: 'yes', template: { spec: { domain: {}, volumes: [{}] } } } },
      {},
    ],
    changes: [
      { spec: { running: null, runStrategy: 'Halted' } },
      { spec: { running: false } },
      { spec: { template: { metadata: { annotations: { a: 'b' } } } } },
      { status: { ready: true, created: true } },
      { status: { printableStatus: null, conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: null }] } },
      { status: { stateChangeRequests: [{ action: 'Start' }] } },
      { status: null },
      { odd: 1, spec: { odd: 2 } },
    ],
  },
  {
    ...custom,
    hasStatus: false,
    plural: 'virtualmachineinstances',
    kind: 'VirtualMachineInstance',
    bodies: [
      { spec: vmiSpec },
      { spec: vmiSpec, status: { phase: 'Pending', odd: 1 } },
      { spec: { domain: { devices: { disks: [{ name: 'd' }, { name: 'd' }] } } } },
      { spec: { domain: { devices: { disks: [{}] }, resources: { requests: { memory: 'x' } } } } },
    ],
    changes: [
      { status: { phase: 'Running', nodeName: 'n' } },
      {
        status: {
          phaseTransitionTimestamps: [{ phase: 'Pending', phaseTransitionTimestamp: '2026-01-01T00:00:00Z' }],
          activePods: {},
        },
      },
      { status: { VSOCKCID: 5, conditions: [] } },
      { status: null },
      { spec: { domain: { cpu: { cores: 2 }, memory: null } } },
      { spec: { domain: { cpu: { cores: -1 } } } },
    ],
  },
  {
    ...custom,
    plural: 'virtualmachineinstancemigrations',
    kind: 'VirtualMachineInstanceMigration',
    bodies: [{ spec: { vmiName: 'x' } }, { spec: { vmiName: 'x', priority: 'odd' } }, { spec: {} }],
    changes: [{ status: { phase: 'Pending' } }, { spec: { vmiName: 'y' } }],
  },
  {
    ...custom,
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    hasStatus: false,
    plural: 'datavolumes',
    kind: 'DataVolume',
    bodies: [{ spec: { source: { blank: {} } }, status: { phase: 'Pending' } }, { anything: [null, { a: null }] }],
    changes: [{ status: { phase: 'Succeeded' } }, { spec: { source: null } }],
  },
];

export function kindOf(plural: string): Written {
  const found = kinds.find((k) => k.plural === plural);
  if (found === undefined) throw new Error(`no kind ${plural}`);
  return found;
}

/** Names of objects of the cluster are made the sequence's own. */
export function nameIn(kind: Written, name: string, namespace: string): string {
  return kind.namespaced ? name : `${namespace}-${name}`;
}

export function pathIn(kind: Written, namespace: string, name = '', subresource = ''): string {
  const root = kind.apiVersion.includes('/') ? `/apis/${kind.apiVersion}` : `/api/${kind.apiVersion}`;
  const scope = kind.namespaced ? `/namespaces/${namespace}` : '';
  const object = name === '' ? '' : `/${nameIn(kind, name, namespace)}`;
  return `${root}${scope}/${kind.plural}${object}${subresource === '' ? '' : `/${subresource}`}`;
}
