// A change of an object that was asked for does not run the function again (crossplane issue 7565).
//
// The trigger tables of vm.md 2, vmi.md 2.2 and node.md A3, row by row, against what the reads of our controllers subscribe to.
// A reflector's periodic re-announcement has its own test (mc-04); KubeVirt's own object comes by `revisitWhen`, below.
import { describe, expect, test } from 'vitest';
import type { ClusterConfiguration } from '../../functions/core/configuration/configuration.ts';
import { defaultConfiguration, defaultProcessParameters } from '../../functions/core/configuration/defaults.ts';
import { anyController, type Controller } from '../../functions/core/controller.ts';
import type { KubeObject } from '../../functions/core/objects.ts';
import { node } from '../../functions/node/reads.ts';
import { topology } from '../../functions/topology/reads.ts';
import { vm } from '../../functions/vm/reads.ts';
import { vmi } from '../../functions/vmi/reads.ts';
import { Deliveries } from '../events/relay/support/deliveries.ts';

type Parts = { metadata?: Record<string, unknown>; spec?: object; status?: object };

function object(apiVersion: string, kind: string, name: string, parts: Parts = {}): KubeObject {
  const { metadata, ...rest } = parts;
  return { apiVersion, kind, ...rest, metadata: { name, namespace: 'ns', ...metadata } } as KubeObject;
}

const owner = (kind: string, name: string, uid = `uid-${name}`) => ({
  ownerReferences: [{ apiVersion: 'kubevirt.io/v1', kind, name, uid, controller: true }],
});
const dying = { deletionTimestamp: '2026-12-01T00:00:00Z', finalizers: ['f'] };
const later = { labels: { later: 'yes' } };

const machine = (name: string, parts: Parts = {}, ...volumes: object[]) =>
  object('kubevirt.io/v1', 'VirtualMachine', name, {
    spec: { runStrategy: 'Always', template: { spec: { domain: {}, volumes } } },
    ...parts,
  });
const instance = (name: string, parts: Parts = {}, ...volumes: object[]) =>
  object('kubevirt.io/v1', 'VirtualMachineInstance', name, { spec: { domain: {}, volumes }, ...parts });
const pod = (name: string, parts: Parts = {}) => object('v1', 'Pod', name, { spec: { containers: [] }, ...parts });
const claim = (name: string, parts: Parts = {}) =>
  object('v1', 'PersistentVolumeClaim', name, {
    spec: { resources: { requests: { storage: '10Gi' } } },
    status: { phase: 'Pending' },
    ...parts,
  });
const dataVolume = (name: string, parts: Parts = {}) => object('cdi.kubevirt.io/v1beta1', 'DataVolume', name, parts);
const revision = (name: string, parts: Parts = {}) => object('apps/v1', 'ControllerRevision', name, parts);
const instancetype = (name: string, parts: Parts = {}) =>
  object('instancetype.kubevirt.io/v1beta1', 'VirtualMachineInstancetype', name, parts);
const kept = (name: string, of: string) =>
  revision(name, { metadata: { labels: { 'instancetype.kubevirt.io/object-name': of } } });
/** A VM of instance type `small`, and the revision that it keeps of it. */
const typed = (name: string, revisionName?: string) =>
  machine(name, {
    spec: {
      runStrategy: 'Always',
      instancetype: { name: 'small', kind: 'virtualmachineinstancetype' },
      template: { spec: {} },
    },
    ...(revisionName === undefined
      ? {}
      : {
          status: {
            instancetypeRef: {
              name: 'small',
              kind: 'virtualmachineinstancetype',
              controllerRevisionRef: { name: revisionName },
            },
          },
        }),
  });
const global = (apiVersion: string, kind: string, name: string, parts: Parts = {}) =>
  object(apiVersion, kind, name, { ...parts, metadata: { namespace: undefined, ...parts.metadata } });

const templated = (name: string): Parts => ({
  spec: { runStrategy: 'Always', dataVolumeTemplates: [{ metadata: { name }, spec: {} }], template: { spec: {} } },
});
const onDataVolume = (name: string) => ({ name, dataVolume: { name } });
const onClaim = (name: string) => ({ name, persistentVolumeClaim: { claimName: name } });
const hooked = (name: string, status: object = {}) =>
  instance(name, {
    metadata: { annotations: { 'hooks.kubevirt.io/hookSidecars': '[{"configMap":{"name":"script"}}]' } },
    status,
  });
const onDump = (name: string) => ({ name, memoryDump: { claimName: name } });

interface Row {
  readonly change: string;
  readonly given?: readonly KubeObject[];
  /** What the watch brings; `gone`: a deletion; `again`: the same version once more. */
  readonly brings: readonly KubeObject[] | { readonly gone: KubeObject } | { readonly again: KubeObject };
  /** Keys that the original enqueues. */
  readonly original: readonly string[];
  /** Where ours are others: which, and why that is meant. */
  readonly ours?: { readonly keys: readonly string[]; readonly why: string };
}

const byNameAlone = 'the pass looks at the VMI of the VM’s name, whoever owns it, and at no other';
const whatIsSeen = 'what the snapshot shows is followed, so that it is never out of date';

const machines: readonly Row[] = [
  { change: 'VM added', brings: [machine('b')], original: ['ns/b'] },
  { change: 'VM updated', brings: [machine('a', { metadata: later })], original: ['ns/a'] },
  { change: 'VM status updated', brings: [machine('a', { status: { created: true } })], original: ['ns/a'] },
  { change: 'VM being deleted', brings: [machine('a', { metadata: dying })], original: ['ns/a'] },
  { change: 'VM deleted', brings: { gone: machine('a') }, original: ['ns/a'] },

  {
    change: 'VMI added, owned',
    brings: [instance('a', { metadata: owner('VirtualMachine', 'a') })],
    original: ['ns/a'],
  },
  {
    change: 'VMI added, owned by a VM of another uid',
    brings: [instance('a', { metadata: owner('VirtualMachine', 'a', 'earlier') })],
    original: [],
    ours: { keys: ['ns/a'], why: byNameAlone },
  },
  {
    change: 'VMI added, owned by another kind',
    brings: [instance('a', { metadata: owner('VirtualMachineInstanceReplicaSet', 'a') })],
    original: [],
    ours: { keys: ['ns/a'], why: byNameAlone },
  },
  {
    change: 'VMI added under another name than its VM’s',
    brings: [instance('x', { metadata: owner('VirtualMachine', 'a') })],
    original: ['ns/a'],
    ours: { keys: [], why: byNameAlone },
  },
  { change: 'VMI added, without owner', brings: [instance('a')], original: ['ns/a'] },
  { change: 'VMI added, without owner, of no VM’s name', brings: [instance('x')], original: [] },
  {
    change: 'VMI added, being deleted, owned',
    brings: [instance('a', { metadata: { ...dying, ...owner('VirtualMachine', 'a') } })],
    original: ['ns/a'],
  },
  {
    change: 'VMI added, being deleted, without owner',
    brings: [instance('a', { metadata: dying })],
    original: [],
    ours: { keys: ['ns/a'], why: whatIsSeen },
  },
  {
    change: 'VMI seen again in the same version',
    given: [instance('a')],
    brings: { again: instance('a') },
    original: [],
  },
  {
    change: 'VMI begins to be deleted',
    given: [instance('a', { metadata: owner('VirtualMachine', 'a') })],
    brings: [instance('a', { metadata: { ...dying, ...owner('VirtualMachine', 'a') } })],
    original: ['ns/a'],
  },
  {
    change: 'VMI loses its owner',
    given: [instance('a', { metadata: owner('VirtualMachine', 'a') })],
    brings: [instance('a')],
    original: ['ns/a'],
  },
  {
    change: 'VMI passes to another VM',
    given: [machine('b'), instance('a', { metadata: owner('VirtualMachine', 'a') })],
    brings: [instance('a', { metadata: owner('VirtualMachine', 'b') })],
    original: ['ns/a', 'ns/b'],
    ours: { keys: ['ns/a'], why: byNameAlone },
  },
  {
    change: 'VMI updated, owned',
    given: [instance('a', { metadata: owner('VirtualMachine', 'a') })],
    brings: [instance('a', { metadata: owner('VirtualMachine', 'a'), status: { phase: 'Running' } })],
    original: ['ns/a'],
  },
  {
    change: 'VMI without owner gets other labels',
    given: [instance('a')],
    brings: [instance('a', { metadata: later })],
    original: ['ns/a'],
  },
  {
    change: 'VMI without owner updated otherwise',
    given: [instance('a')],
    brings: [instance('a', { status: { phase: 'Running' } })],
    original: [],
    ours: { keys: ['ns/a'], why: whatIsSeen },
  },
  {
    change: 'VMI deleted, owned',
    given: [instance('a', { metadata: owner('VirtualMachine', 'a') })],
    brings: { gone: instance('a', { metadata: owner('VirtualMachine', 'a') }) },
    original: ['ns/a'],
  },
  {
    change: 'VMI deleted, without owner',
    given: [instance('a')],
    brings: { gone: instance('a') },
    original: [],
    ours: { keys: ['ns/a'], why: whatIsSeen },
  },

  {
    change: 'DataVolume of a VM added',
    given: [machine('d', {}, onDataVolume('disk'))],
    brings: [dataVolume('disk', { metadata: owner('VirtualMachine', 'd') })],
    original: ['ns/d'],
  },
  {
    change: 'DataVolume of a template added, that no volume names',
    given: [machine('d', templated('disk'))],
    brings: [dataVolume('disk', { metadata: owner('VirtualMachine', 'd') })],
    original: ['ns/d'],
  },
  {
    change: 'DataVolume that a VM merely names updated (VM-15)',
    given: [machine('d', {}, onDataVolume('shared')), dataVolume('shared')],
    brings: [dataVolume('shared', { status: { phase: 'Succeeded' } })],
    original: ['ns/d'],
  },
  {
    change: 'DataVolume whose claim two VMs name, in one way and the other',
    given: [machine('c', {}, onClaim('disk')), machine('d', {}, onDataVolume('disk'))],
    brings: [dataVolume('disk')],
    original: ['ns/c', 'ns/d'],
  },
  {
    change: 'DataVolume that tells of its progress',
    given: [machine('d', {}, onDataVolume('disk')), dataVolume('disk', { status: { phase: 'ImportInProgress' } })],
    brings: [dataVolume('disk', { status: { phase: 'ImportInProgress', progress: '12%' } })],
    original: ['ns/d'],
    ours: { keys: [], why: 'CDI tells of progress every few seconds; only what the pass reads counts' },
  },
  {
    change: 'DataVolume begins to be deleted',
    given: [machine('d', {}, onDataVolume('disk')), dataVolume('disk')],
    brings: [dataVolume('disk', { metadata: dying })],
    original: ['ns/d'],
  },
  {
    change: 'DataVolume passes to another VM',
    given: [
      machine('c', templated('disk')),
      machine('d', templated('disk')),
      dataVolume('disk', { metadata: owner('VirtualMachine', 'c') }),
    ],
    brings: [dataVolume('disk', { metadata: owner('VirtualMachine', 'd') })],
    original: ['ns/c', 'ns/d'],
  },
  {
    change: 'DataVolume deleted',
    given: [machine('d', {}, onDataVolume('disk')), dataVolume('disk')],
    brings: { gone: dataVolume('disk') },
    original: ['ns/d'],
  },
  { change: 'DataVolume that no VM names added', brings: [dataVolume('other')], original: [] },

  {
    change: 'claim of a DataVolume added',
    given: [machine('d', {}, onDataVolume('disk'))],
    brings: [claim('disk')],
    original: ['ns/d'],
  },
  {
    change: 'claim added that two VMs name, in one way and the other',
    given: [machine('c', {}, onClaim('disk')), machine('d', {}, onDataVolume('disk'))],
    brings: [claim('disk')],
    original: ['ns/c', 'ns/d'],
  },
  {
    change: 'claim of the same name added in another namespace',
    given: [machine('d', {}, onClaim('disk'))],
    brings: [claim('disk', { metadata: { namespace: 'elsewhere' } })],
    original: [],
  },
  {
    change: 'claim of a memory dump added',
    given: [machine('d', {}, onDump('dump'))],
    brings: [claim('dump')],
    original: [],
    ours: { keys: ['ns/d'], why: 'the printable status rests on it as well (vm.md 12.5)' },
  },
  {
    change: 'claim added, being deleted',
    given: [machine('d', {}, onClaim('disk'))],
    brings: [claim('disk', { metadata: dying })],
    original: [],
    ours: { keys: ['ns/d'], why: whatIsSeen },
  },
  {
    change: 'claim bound',
    given: [machine('d', {}, onClaim('disk')), claim('disk')],
    brings: [claim('disk', { status: { phase: 'Bound' } })],
    original: [],
    ours: { keys: ['ns/d'], why: 'the printable status rests on the phase; nothing else would bring the key again' },
  },
  {
    change: 'claim updated otherwise',
    given: [machine('d', {}, onClaim('disk')), claim('disk')],
    brings: [claim('disk', { metadata: later })],
    original: [],
  },
  {
    change: 'claim deleted',
    given: [machine('d', {}, onClaim('disk')), claim('disk')],
    brings: { gone: claim('disk') },
    original: [],
    ours: { keys: ['ns/d'], why: whatIsSeen },
  },

  {
    change: 'labels of a namespace',
    brings: [global('v1', 'Namespace', 'ns', { metadata: later })],
    original: [],
    ours: { keys: ['ns/a'], why: 'whether a selector matches them is for the pass to see; what it writes is the same' },
  },
  {
    change: 'a snapshot class for the storage class of a claim added',
    given: [
      machine('d', {}, onClaim('disk')),
      claim('disk', { spec: { storageClassName: 'fast' } }),
      global('storage.k8s.io/v1', 'StorageClass', 'fast', { provisioner: 'csi' } as Parts),
    ],
    brings: [global('snapshot.storage.k8s.io/v1', 'VolumeSnapshotClass', 'snap', { driver: 'csi' } as Parts)],
    original: ['ns/d'],
  },
  {
    change: 'a start revision of the VM added',
    brings: [revision('revision-start-vm-uid-a-1', { metadata: owner('VirtualMachine', 'a') })],
    original: [],
    ours: { keys: ['ns/a'], why: 'it may be seen after the VMI that was started from it (README of vm)' },
  },
  {
    change: 'a revision that is none of a start added',
    brings: [revision('a-small-v1beta1-1', { metadata: owner('VirtualMachine', 'a') })],
    original: [],
  },
  { change: 'DataSource added', brings: [object('cdi.kubevirt.io/v1beta1', 'DataSource', 'a')], original: [] },
  {
    change: 'instance type and preference added that no VM names',
    brings: [instancetype('other'), object('instancetype.kubevirt.io/v1beta1', 'VirtualMachinePreference', 'other')],
    original: [],
  },
  {
    change: 'an instance type added that a VM names',
    given: [typed('d')],
    brings: [instancetype('small')],
    original: [],
    ours: { keys: ['ns/d'], why: 'the VM waits for it; the original finds it when it tries again' },
  },
  {
    change: 'an instance type updated that a VM keeps as a revision',
    given: [typed('d', 'kept'), kept('kept', 'small'), instancetype('small')],
    brings: [instancetype('small', { metadata: later })],
    original: [],
  },
  {
    change: 'a revision added that keeps the instance type of a VM',
    given: [typed('d', 'kept')],
    brings: [kept('kept', 'small')],
    original: [],
    ours: { keys: ['ns/d'], why: 'the VM cannot go on without it' },
  },
];

const bound = (name: string, parts: Parts = {}) =>
  claim(name, { status: { phase: 'Bound', capacity: { storage: '10Gi' } }, ...parts });
const grown = { phase: 'Bound', capacity: { storage: '12Gi' } };

const orphanedAttachment = (vmiUid: string) =>
  pod('hp', {
    metadata: {
      ...owner('Pod', 'gone'),
      annotations: { 'kubevirt.io/owner-vmi-name': 'a', 'kubevirt.io/owner-vmi-uid': vmiUid },
    },
  });

const counter = (name: string, hz: number, labels: Record<string, string> = {}) =>
  global('v1', 'Node', name, {
    metadata: {
      labels: { 'kubevirt.io/schedulable': 'true', 'cpu-timer.node.kubevirt.io/tsc-frequency': `${hz}`, ...labels },
    },
  });

const instances: readonly Row[] = [
  { change: 'VMI added', brings: [instance('b')], original: ['ns/b'] },
  { change: 'VMI updated', brings: [instance('a', { metadata: later })], original: ['ns/a'] },
  { change: 'VMI status updated', brings: [instance('a', { status: { phase: 'Running' } })], original: ['ns/a'] },
  { change: 'VMI being deleted', brings: [instance('a', { metadata: dying })], original: ['ns/a'] },
  { change: 'VMI deleted', brings: { gone: instance('a') }, original: ['ns/a'] },

  {
    change: 'pod added',
    brings: [pod('p', { metadata: owner('VirtualMachineInstance', 'a') })],
    original: ['ns/a'],
  },
  { change: 'pod without owner added', brings: [pod('p')], original: [] },
  { change: 'pod of another kind added', brings: [pod('p', { metadata: owner('Job', 'x') })], original: [] },
  {
    change: 'pod of an earlier VMI of the name added',
    brings: [pod('p', { metadata: owner('VirtualMachineInstance', 'a', 'earlier') })],
    original: [],
  },
  {
    change: 'vmi case 12: pod added, being deleted',
    brings: [pod('p', { metadata: { ...dying, ...owner('VirtualMachineInstance', 'a') } })],
    original: ['ns/a'],
  },
  {
    change: 'vmi case 13: pod seen again in the same version',
    given: [pod('p', { metadata: owner('VirtualMachineInstance', 'a') })],
    brings: { again: pod('p') },
    original: [],
  },
  {
    change: 'pod updated',
    given: [pod('p', { metadata: owner('VirtualMachineInstance', 'a') })],
    brings: [pod('p', { metadata: owner('VirtualMachineInstance', 'a'), status: { phase: 'Running' } })],
    original: ['ns/a'],
  },
  {
    change: 'vmi case 14: pod begins to be deleted',
    given: [pod('p', { metadata: owner('VirtualMachineInstance', 'a') })],
    brings: [pod('p', { metadata: { ...dying, ...owner('VirtualMachineInstance', 'a') } })],
    original: ['ns/a'],
  },
  {
    change: 'pod passes to another VMI',
    given: [instance('b'), pod('p', { metadata: owner('VirtualMachineInstance', 'a') })],
    brings: [pod('p', { metadata: owner('VirtualMachineInstance', 'b') })],
    original: ['ns/a', 'ns/b'],
  },
  {
    change: 'pod loses its owner',
    given: [pod('p', { metadata: owner('VirtualMachineInstance', 'a') })],
    brings: [pod('p')],
    original: ['ns/a'],
  },
  {
    change: 'pod deleted (VMI-01)',
    given: [pod('p', { metadata: owner('VirtualMachineInstance', 'a') })],
    brings: { gone: pod('p', { metadata: owner('VirtualMachineInstance', 'a') }) },
    original: ['ns/a'],
  },
  {
    change: 'attachment pod added',
    given: [pod('p', { metadata: owner('VirtualMachineInstance', 'a') })],
    brings: [pod('hp', { metadata: owner('Pod', 'p') })],
    original: ['ns/a'],
  },
  {
    change: 'vmi case 15: attachment pod deleted whose launcher is gone (HP-06)',
    given: [orphanedAttachment('uid-a')],
    brings: { gone: orphanedAttachment('uid-a') },
    original: ['ns/a'],
  },
  {
    change: 'vmi case 15: attachment pod deleted of an earlier VMI of the name',
    given: [orphanedAttachment('earlier')],
    brings: { gone: orphanedAttachment('earlier') },
    original: [],
  },

  {
    change: 'DataVolume updated',
    given: [instance('d', {}, onDataVolume('disk'))],
    brings: [dataVolume('disk', { status: { phase: 'Succeeded' } })],
    original: ['ns/d'],
  },
  {
    change: 'claim added that two VMIs name, in one way and the other',
    given: [instance('c', {}, onClaim('disk')), instance('d', {}, onDataVolume('disk'))],
    brings: [claim('disk')],
    original: ['ns/c', 'ns/d'],
  },
  {
    change: 'claim added that nobody names',
    given: [instance('d', {}, onClaim('disk'))],
    brings: [claim('other')],
    original: [],
  },
  {
    change: 'claim added, being deleted',
    given: [instance('d', {}, onClaim('disk'))],
    brings: [claim('disk', { metadata: dying })],
    original: [],
    ours: { keys: ['ns/d'], why: whatIsSeen },
  },
  {
    change: 'claim of a memory dump added',
    given: [instance('d', {}, onDump('dump'))],
    brings: [claim('dump')],
    original: [],
    ours: { keys: ['ns/d'], why: 'the volume’s status shows the claim (vmi.md 7.1)' },
  },
  {
    change: 'claim of a VMI’s persistent state added',
    brings: [claim('persistent-state-for-a', { metadata: { labels: { 'persistent-state-for': 'a' } } })],
    original: ['ns/a'],
  },
  {
    change: 'claim bound, nothing else',
    given: [instance('d', {}, onClaim('disk')), claim('disk')],
    brings: [claim('disk', { status: { phase: 'Bound' } })],
    original: [],
  },
  {
    change: 'capacity of a claim',
    given: [instance('d', {}, onClaim('disk')), bound('disk')],
    brings: [bound('disk', { status: grown })],
    original: ['ns/d'],
  },
  {
    change: 'request of a claim whose capacity stays (VMI-11)',
    given: [instance('d', {}, onClaim('disk')), bound('disk')],
    brings: [bound('disk', { spec: { resources: { requests: { storage: '12Gi' } } } })],
    original: ['ns/d'],
  },
  {
    change: 'capacity of a claim, the same written otherwise',
    given: [instance('d', {}, onClaim('disk')), bound('disk')],
    brings: [bound('disk', { status: { phase: 'Bound', capacity: { storage: '10240Mi' } } })],
    original: [],
    ours: { keys: ['ns/d'], why: 'projections are compared as text; the pass finds nothing to do' },
  },
  {
    change: 'labels of a claim',
    given: [instance('d', {}, onClaim('disk')), bound('disk')],
    brings: [bound('disk', { metadata: later })],
    original: [],
  },
  {
    change: 'owner of a claim',
    given: [instance('d', {}, onClaim('disk')), bound('disk')],
    brings: [bound('disk', { metadata: owner('DataVolume', 'disk') })],
    original: [],
    ours: { keys: ['ns/d'], why: 'whether the volume is ready rests on it (vmi.md 5.2)' },
  },
  {
    change: 'claim begins to be deleted',
    given: [instance('d', {}, onClaim('disk')), bound('disk')],
    brings: [bound('disk', { metadata: dying })],
    original: [],
  },
  {
    change: 'claim deleted',
    given: [instance('d', {}, onClaim('disk')), bound('disk')],
    brings: { gone: bound('disk') },
    original: [],
    ours: { keys: ['ns/d'], why: whatIsSeen },
  },

  {
    change: 'ConfigMap of a sidecar added',
    given: [hooked('h')],
    brings: [object('v1', 'ConfigMap', 'script')],
    original: [],
    ours: { keys: ['ns/h'], why: 'the original asks for it live and backs off; here the pod is made at once' },
  },
  {
    change: 'content of the ConfigMap of a sidecar',
    given: [hooked('h'), object('v1', 'ConfigMap', 'script')],
    brings: [object('v1', 'ConfigMap', 'script', { metadata: later })],
    original: [],
  },
  {
    change: 'ConfigMap of a sidecar deleted, once the pod is made',
    given: [hooked('h', { phase: 'Scheduling' }), object('v1', 'ConfigMap', 'script')],
    brings: { gone: object('v1', 'ConfigMap', 'script') },
    original: [],
  },
  {
    change: 'ConfigMap that no sidecar names',
    given: [hooked('h')],
    brings: [object('v1', 'ConfigMap', 'other')],
    original: [],
  },
  {
    change: 'network attachment definition of a VMI without a pod',
    given: [instance('n', { spec: { domain: {}, networks: [{ name: 'a', multus: { networkName: 'blue' } }] } })],
    brings: [object('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', 'blue')],
    original: [],
    ours: { keys: ['ns/n'], why: 'the original asks for it live, and only with a gate off' },
  },

  {
    change: 'the owning VM updated',
    given: [machine('o'), instance('o', { metadata: owner('VirtualMachine', 'o') })],
    brings: [machine('o', { metadata: later, status: { ready: true } })],
    original: [],
  },
  {
    change: 'the owning VM deleted',
    given: [machine('o'), instance('o', { metadata: owner('VirtualMachine', 'o') })],
    brings: { gone: machine('o') },
    original: [],
    ours: { keys: ['ns/o'], why: 'a final VMI is let go when its VM is not there (vmi.md 8.3)' },
  },
  {
    change: 'migration of a VMI that has its pod',
    given: [instance('r', { status: { phase: 'Running' } })],
    brings: [object('kubevirt.io/v1', 'VirtualMachineInstanceMigration', 'm', { spec: { vmiName: 'r' } })],
    original: [],
  },
  {
    change: 'migration of a VMI that has no pod yet',
    brings: [object('kubevirt.io/v1', 'VirtualMachineInstanceMigration', 'm', { spec: { vmiName: 'a' } })],
    original: [],
    ours: { keys: ['ns/a'], why: 'no pod is made while it is active; the back-off need not find out that it is over' },
  },
  {
    change: 'node with a time stamp counter, while a VMI waits for its hints',
    given: [
      instance('t', {
        spec: { architecture: 'amd64', domain: { cpu: { features: [{ name: 'invtsc', policy: 'require' }] } } },
      }),
    ],
    brings: [counter('tsc', 100)],
    original: [],
  },
  {
    change: 'quota, namespace, node, storage objects',
    brings: [
      object('v1', 'ResourceQuota', 'q', { spec: { hard: { 'limits.cpu': '1' } } }),
      global('v1', 'Namespace', 'ns', { metadata: later }),
      global('v1', 'Node', 'n'),
      global('storage.k8s.io/v1', 'StorageClass', 's'),
    ],
    original: [],
  },
];

const hinted = (name: string, tscFrequency: number, status: object = {}) =>
  instance(name, { status: { topologyHints: { tscFrequency }, ...status } });
const byChange = 'the original looks by the clock (README of topology)';
const woken = { keys: ['ns/kubevirt'], why: byChange };

const frequencies: readonly Row[] = [
  { change: 'node with a counter added', brings: [counter('b', 100)], original: [], ours: woken },
  { change: 'node without a counter added', brings: [global('v1', 'Node', 'b')], original: [] },
  {
    change: 'label of a counter’s node that is none of ours',
    brings: [counter('a', 100, { zone: 'z' })],
    original: [],
  },
  {
    change: 'a frequency’s label taken away',
    given: [counter('b', 100, { 'scheduling.node.kubevirt.io/tsc-frequency-100': 'true' })],
    brings: [counter('b', 100)],
    original: [],
    ours: woken,
  },
  {
    change: 'a node leaves scheduling',
    brings: [counter('a', 100, { 'kubevirt.io/schedulable': 'false' })],
    original: [],
    ours: woken,
  },
  { change: 'a VMI gets a hint', given: [instance('v')], brings: [hinted('v', 100)], original: [], ours: woken },
  {
    change: 'a VMI with a hint goes on',
    given: [hinted('v', 100)],
    brings: [hinted('v', 100, { phase: 'Running', nodeName: 'a' })],
    original: [],
  },
  {
    change: 'a VMI with a hint is gone',
    given: [hinted('v', 100)],
    brings: { gone: hinted('v', 100) },
    original: [],
    ours: woken,
  },
  {
    change: 'a VMI comes to a node out of scheduling',
    given: [counter('out', 50, { 'kubevirt.io/schedulable': 'false' })],
    brings: [instance('v', { status: { phase: 'Scheduled', nodeName: 'out' } })],
    original: [],
    ours: woken,
  },
  {
    change: 'a VMI comes to a schedulable node',
    brings: [instance('v', { status: { phase: 'Scheduled', nodeName: 'a' } })],
    original: [],
  },
];

const host = (name: string, schedulable: string, parts: Parts = {}) =>
  global('v1', 'Node', name, {
    ...parts,
    metadata: {
      labels: { 'kubevirt.io/schedulable': schedulable },
      annotations: { 'kubevirt.io/heartbeat': '2026-12-01T00:00:00Z' },
      ...parts.metadata,
    },
  });
const guest = (name: string, on: string, phase = 'Running', status: object = {}) =>
  instance(name, { metadata: { labels: { 'kubevirt.io/nodeName': on } }, status: { phase, nodeName: on, ...status } });

const schedulableIsSeenAlone = 'nothing is done to VMIs of a node that counts as schedulable (reads of node)';
const onlyWhatIsRead = 'a kubelet writes its node every few seconds; only what the pass reads counts';

const nodes: readonly Row[] = [
  { change: 'node added', brings: [host('n2', 'true')], original: ['n2'] },
  {
    change: 'heartbeat of a node',
    brings: [
      host('n', 'true', {
        metadata: { annotations: { 'kubevirt.io/heartbeat': '2026-12-01T00:01:00Z' } },
      }),
    ],
    original: ['n'],
  },
  { change: 'a node leaves scheduling', brings: [host('n', 'false')], original: ['n'] },
  {
    change: 'status of a node',
    brings: [host('n', 'true', { status: { conditions: [{ type: 'Ready', status: 'True' }] } })],
    original: ['n'],
    ours: { keys: [], why: onlyWhatIsRead },
  },
  { change: 'node deleted', brings: { gone: host('n', 'true') }, original: ['n'] },
  { change: 'VMI added without a node', brings: [instance('a', { status: { phase: 'Scheduling' } })], original: [] },
  {
    change: 'VMI comes to a schedulable node',
    brings: [guest('a', 'n', 'Scheduled')],
    original: ['n'],
    ours: { keys: [], why: schedulableIsSeenAlone },
  },
  { change: 'VMI comes to a node out of scheduling', brings: [guest('a', 'out', 'Scheduled')], original: ['out'] },
  { change: 'VMI added on a node that is gone', brings: [guest('a', 'gone')], original: ['gone'] },
  {
    change: 'VMI on a node out of scheduling updated elsewhere than in what is read',
    given: [guest('a', 'out')],
    brings: [guest('a', 'out', 'Running', { guestOSInfo: { id: 'fedora' } })],
    original: ['out'],
    ours: { keys: [], why: onlyWhatIsRead },
  },
  {
    change: 'VMI on a node out of scheduling deleted',
    given: [guest('a', 'out')],
    brings: { gone: guest('a', 'out') },
    original: [],
    ours: { keys: ['out'], why: whatIsSeen },
  },
];

const tables: readonly [Controller, readonly KubeObject[], readonly Row[]][] = [
  [anyController(vm), [machine('a')], machines],
  [anyController(vmi), [instance('a')], instances],
  [anyController(node), [host('n', 'true'), host('out', 'false')], nodes],
  [anyController(topology), [object('kubevirt.io/v1', 'KubeVirt', 'kubevirt'), counter('a', 100)], frequencies],
];

describe.each(tables)('$name', (controller, always, rows) => {
  test.each(rows)('$change', async ({ given = [], brings, original, ours }) => {
    const relay = new Deliveries([controller], ...always, ...given);
    await relay.start();
    if ('gone' in brings) relay.seeGone(brings.gone);
    else if ('again' in brings) relay.seeAgain(brings.again.kind, `ns/${brings.again.metadata.name}`);
    else relay.see(...brings);
    const woken = new Set(await relay.newKeys());
    expect([...woken].sort()).toEqual((ours?.keys ?? original).map((key) => `${controller.name} ${key}`));
    expect(ours?.keys).not.toEqual(original);
  });
});

describe('the KubeVirt object', () => {
  const seen = (controller: Controller, kubevirt: object, skipBackupHooks?: string) => {
    const base = defaultConfiguration('kubevirt', defaultProcessParameters);
    const configuration = { ...base, kubevirt, ...(skipBackupHooks !== undefined && { skipBackupHooks }) };
    return JSON.stringify(controller.revisitWhen?.(configuration as ClusterConfiguration) ?? null);
  };

  test('all VMIs by the annotation that skips backup hooks, absent and empty being the same', () => {
    const all = anyController(vmi);
    expect(seen(all, {}, 'true')).not.toBe(seen(all, {}));
    expect(seen(all, {}, '')).toBe(seen(all, {}));
    expect(seen(all, { imagePullPolicy: 'Always' })).toBe(seen(all, {}));
  });

  test('TSC labels by the minimum that the cluster sets', () => {
    const least = (minimumClusterTSCFrequency?: number) =>
      seen(anyController(topology), {
        developerConfiguration: minimumClusterTSCFrequency === undefined ? {} : { minimumClusterTSCFrequency },
      });
    expect(new Set([least(), least(0), least(200)]).size).toBe(3);
    expect(seen(anyController(topology), { imagePullPolicy: 'Always' })).toBe(least());
  });

  test('vm case 15: all VMs by the selectors of changed block tracking, none by the rollout strategy', () => {
    const selectors = {
      changedBlockTrackingLabelSelectors: { virtualMachineLabelSelector: { matchLabels: { a: 'b' } } },
    };
    expect(seen(anyController(vm), selectors)).not.toBe(seen(anyController(vm), {}));
    expect(seen(anyController(vm), { vmRolloutStrategy: 'Stage' })).toBe(seen(anyController(vm), {}));
  });
});
