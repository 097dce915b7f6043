import { defineController } from '../core/controller.ts';
import { identityOf } from '../core/identity.ts';
import {
  CDI,
  CDIConfig,
  ConfigMap,
  DataVolume,
  Namespace,
  NetworkAttachmentDefinition,
  Node,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  StorageClass,
  StorageProfile,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceMigration,
} from '../core/kinds.ts';
import { byController, byName, byNamespace, EVERYTHING, everything, keyFor, keyOf } from '../core/object-index.ts';
import type * as objects from '../core/objects.ts';
import { controllerOf } from '../core/owner.ts';
import { type Found, many, one } from '../core/reads.ts';
import { networkAttachmentKeys, sidecarConfigMapKeys } from '../launcher-pod/related-keys.ts';
import { backendStorageProjection, byStateOwner } from '../rules/backend-storage/find-claim.ts';
import { needsBackendStorage } from '../rules/backend-storage/need.ts';
import { storageClassProjection, storageProfileProjection } from '../rules/backend-storage/storage-class.ts';
import { byStatusNode, occupantProjection, unschedulableNodes } from '../rules/tsc/node-occupants.ts';
import { byTsc, HAS_TSC, tscProjection } from '../rules/tsc/node-tsc.ts';
import { byMigratedVmi, migrationProjection } from './active-migration.ts';
import { byHotplugOwner } from './hotplug/hotplug-owner.ts';
import { awaitsTopologyHints } from './topology-hints.ts';
import { isUnprocessed } from './vmi-phase.ts';
import { claimPhaseProjection, claimProjection } from './volumes/claim-projection.ts';
import { dataVolumeProjection } from './volumes/data-volume-projection.ts';
import { claimNamesOf, isOwnedByDataVolume } from './volumes/volume-claims.ts';
import { byVsockId, HAS_VSOCK_ID, lacksVsockId, vsockIdOnly } from './vsock.ts';

/** What the VMI controller looks at (vmi.md 2). */
export const vmi = defineController({
  name: 'vmi',
  primary: VirtualMachineInstance,
  concurrency: 10,
  eventSource: 'virtualmachine-controller',
  reads: {
    /** Launcher, temporary and migration target pods, finished and dying ones too. */
    pods: many(Pod).by(byController, (instance: objects.VirtualMachineInstance) => instance.metadata.uid),
    /** Only whether it is there, under which uid. */
    owner: one(VirtualMachine).named(ownerKey).only(vmIdentity),
    /** Claims that the volumes name. */
    claims: many(PersistentVolumeClaim).by(byName, claimKeys).only(claimProjection),
    /** How far those are bound, when the key is visited for another reason. */
    claimPhases: many(PersistentVolumeClaim).by(byName, claimKeys).only(claimPhaseProjection).quietly(),
    /** The DataVolumes that fill those claims, and those that the volumes name. */
    dataVolumes: many(DataVolume).by(byName, dataVolumeKeys).only(dataVolumeProjection),
    /** Attachment and trigger pods of hotplugged volumes: of those pods, and what is left of pods that are gone. */
    attachments: many(Pod).by(byHotplugOwner, hotplugOwners),
    /** For a VMI that is to get its pod: none is made while another moves (vmi.md 6.4). */
    migrations: many(VirtualMachineInstanceMigration).by(byMigratedVmi, migratedVmi).only(migrationProjection),
    /** Claims for the VMI's state, those that are being deleted included. */
    stateClaims: many(PersistentVolumeClaim)
      .by(byStateOwner, (instance: objects.VirtualMachineInstance) => keyOf(instance))
      .only(backendStorageProjection),
    /** To make such a claim, and to tell whether it waits for a pod. */
    storageClasses: many(StorageClass).by(everything, ifStateIsNeeded).only(storageClassProjection).quietly(),
    storageProfiles: many(StorageProfile).by(everything, ifStateIsNeeded).only(storageProfileProjection).quietly(),
    /** For the share of a claim that its file system takes (vmi.md 9.8). */
    cdis: many(CDI).by(everything, ifClaims(EVERYTHING)).only(identityOf).quietly(),
    cdiConfig: one(CDIConfig).named(ifClaims('config')).only(overheadOnly).quietly(),
    /** For limits that rendering adds (launcher-pod.md 1.2); they enqueue nothing. */
    quotas: many(ResourceQuota).by(byNamespace, namespaceOf).quietly(),
    namespace: one(Namespace).named(namespaceOf).quietly(),
    /** Only to render the pod, so no longer than that takes; the original asks for each live (launcher-pod.md 1.2). */
    networkAttachments: many(NetworkAttachmentDefinition).by(byName, untilRendered(networkAttachmentKeys)),
    /** Only whether they are there. */
    sidecarConfigMaps: many(ConfigMap).by(byName, untilRendered(sidecarConfigMapKeys)).only(identityOf),
    /** For the hints of a VMI that has none yet (vmi.md 11.1): nodes with a time stamp counter, and who is on those out of scheduling. */
    tscNodes: many(Node)
      .by(byTsc, (instance: objects.VirtualMachineInstance) => (awaitsTopologyHints(instance) ? HAS_TSC : undefined))
      .only(tscProjection)
      .quietly(),
    tscOccupants: many(VirtualMachineInstance).by(byStatusNode, occupiedNodes).only(occupantProjection).quietly(),
    /** Whose VSOCK ids are taken, whoever gave them (vmi.md 11.2); looked up only for a VMI that is to get one. */
    vsockHolders: many(VirtualMachineInstance)
      .by(byVsockId, (instance: objects.VirtualMachineInstance) => (lacksVsockId(instance) ? HAS_VSOCK_ID : undefined))
      .only(vsockIdOnly)
      .quietly(),
  },
  revisitWhen: (configuration) => configuration.skipBackupHooks ?? '',
});

function namespaceOf(instance: objects.VirtualMachineInstance): string | undefined {
  return instance.metadata.namespace;
}

/** The VM that the controller reference names; its uid is compared later (vmi.md 8.3, final phases). */
function ownerKey(instance: objects.VirtualMachineInstance): string | undefined {
  const owner = controllerOf(instance);
  return owner?.kind === 'VirtualMachine' ? keyFor(instance.metadata.namespace, owner.name) : undefined;
}

function claimKeys(instance: objects.VirtualMachineInstance): readonly string[] {
  const names = new Set([...claimNamesOf(instance), ...(instance.spec.utilityVolumes ?? []).map((v) => v.claimName)]);
  return [...names].map((name) => keyFor(instance.metadata.namespace, name));
}

/** Looks there only for a VMI with claims. */
function ifClaims(value: string) {
  return (instance: objects.VirtualMachineInstance) => (claimKeys(instance).length === 0 ? undefined : value);
}

/** Only before there is a pod. */
function ifStateIsNeeded(instance: objects.VirtualMachineInstance): string | undefined {
  return isUnprocessed(instance) && needsBackendStorage(instance) ? EVERYTHING : undefined;
}

function overheadOnly(config: objects.CDIConfig): objects.CDIConfig {
  const filesystemOverhead = config.status?.filesystemOverhead;
  return { ...identityOf(config), ...(filesystemOverhead === undefined ? {} : { status: { filesystemOverhead } }) };
}

function dataVolumeKeys(instance: objects.VirtualMachineInstance, found: Found): readonly string[] {
  const { namespace } = instance.metadata;
  const owners = found.many<objects.PersistentVolumeClaim>('claims').filter(isOwnedByDataVolume).map(controllerOf);
  const named = (instance.spec.volumes ?? []).map((v) => v.dataVolume?.name);
  const names = new Set([...named, ...owners.map((o) => o?.name)]);
  return [...names].flatMap((name) => (name === undefined ? [] : keyFor(namespace, name)));
}

function hotplugOwners(instance: objects.VirtualMachineInstance, found: Found): readonly string[] {
  const launchers = found.many<objects.Pod>('pods').flatMap((p) => p.metadata.uid ?? []);
  return [...launchers, ...(instance.metadata.uid === undefined ? [] : [instance.metadata.uid])];
}

function migratedVmi(instance: objects.VirtualMachineInstance): string | undefined {
  return isUnprocessed(instance) ? keyOf(instance) : undefined;
}

function occupiedNodes(_: objects.VirtualMachineInstance, found: Found): readonly string[] {
  return unschedulableNodes(found.many<objects.Node>('tscNodes'));
}

function vmIdentity(vm: objects.VirtualMachine): objects.VirtualMachine {
  return { ...identityOf(vm), spec: {} as objects.VirtualMachine['spec'] };
}

function untilRendered(keysOf: (instance: objects.VirtualMachineInstance) => readonly string[]) {
  return (instance: objects.VirtualMachineInstance) => (isUnprocessed(instance) ? keysOf(instance) : undefined);
}
