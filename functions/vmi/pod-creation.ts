import type { Action, CreateAction } from '../core/action.ts';
import { gateEnabled } from '../core/configuration/feature-gates.ts';
import { failureOf } from '../core/context.ts';
import { freeDerivedName } from '../core/derived-name.ts';
import type { PersistentVolumeClaim, Pod, VirtualMachineInstance } from '../core/objects.ts';
import { writtenForm } from '../core/written-form/written-form.ts';
import type { LauncherPodVariant } from '../launcher-pod/input.ts';
import { renderLauncherPod } from '../launcher-pod/render-launcher-pod.ts';
import type { Failed } from '../launcher-pod/render-result.ts';
import { noOwnedPod } from './absent-pods.ts';
import { isActiveMigration } from './active-migration.ts';
import { ensureBackendStorage } from './backend-storage.ts';
import { containerPathVolumes } from './container-path-volumes.ts';
import { discontinuedBindings } from './discontinued-bindings.ts';
import type { Pass, SyncError } from './pass.ts';
import type { SyncResult } from './sync-step.ts';
import { awaitsTopologyHints } from './topology-hints.ts';
import { vmiEvent } from './vmi-event.ts';
import { isUnprocessed } from './vmi-phase.ts';
import type { VolumeReadiness } from './volumes/volume-readiness.ts';

export const CREATE_POD_ID = 'create launcher pod';

type KnownReadiness = Extract<VolumeReadiness, { type: 'known' }>;

/** What kind of pod is made. Their names differ, so that the launcher pod never finds its place taken by the temporary one. */
interface PodVariant {
  readonly variant: LauncherPodVariant;
  readonly intent: string;
  readonly noun: string;
}
const LAUNCHER: PodVariant = { variant: 'launch', intent: 'launcher', noun: 'launcher pod' };
/** Mounts claims that wait for their first consumer, and runs no guest. */
const TEMPORARY: PodVariant = { variant: 'without-vm', intent: 'temporary launcher', noun: 'temporary pod' };

/** Makes the one launcher pod of a VMI (vmi.md 6.4). The first check that fails ends it. */
export function createLauncherPod(pass: Pass, volumes: KnownReadiness): SyncResult {
  if (!isUnprocessed(pass.vmi) || awaitsTopologyHints(pass.vmi) || !volumes.isReady) return { actions: [] };
  const migrating = migrationRefusal(pass);
  if (migrating !== undefined) return migrating;
  const storage = ensureBackendStorage(pass);
  if (storage.type === 'ended') return storage.result;
  const variant = volumes.waitsForConsumer ? TEMPORARY : LAUNCHER;
  const made = containerPathRefusal(pass) ?? rendered(pass, variant, storage.claim);
  return { ...made, actions: [...storage.actions, ...made.actions] };
}

/** A pod made now would be another one's beside the target. */
function migrationRefusal({ reads }: Pass): SyncResult | undefined {
  const migration = reads.migrations.find(isActiveMigration);
  if (migration === undefined) return undefined;
  return { actions: [], error: retried('FailedCreate', `Migration ${migration.metadata.name} of the VMI is active`) };
}

function containerPathRefusal({ vmi, context }: Pass): SyncResult | undefined {
  const volumes = containerPathVolumes(vmi);
  if (volumes.length === 0 || gateEnabled(context.configuration, 'ContainerPathVolumes')) return undefined;
  const reason = 'ContainerPathVolumesDisabled';
  const message = `Feature gate ContainerPathVolumes is off, and volumes need it: ${volumes.join(', ')}`;
  return { actions: [vmiEvent(vmi, { type: 'Warning', reason, message })], error: retried(reason, message) };
}

function rendered(
  pass: Pass,
  { variant, intent, noun }: PodVariant,
  backendStorageClaim: PersistentVolumeClaim | undefined,
): SyncResult {
  const { vmi, reads, context } = pass;
  const { metadata } = vmi;
  const borne = new Set(pass.pods.map((p) => p.metadata.name));
  const generateName = `virt-launcher-${metadata.name}-`;
  const { name, ordinal } = freeDerivedName(generateName, metadata.uid ?? '', intent, borne);
  const result = renderLauncherPod({
    vmi,
    configuration: context.configuration,
    related: {
      claims: reads.claims,
      ...(backendStorageClaim === undefined ? {} : { backendStorageClaim }),
      quotas: reads.quotas,
      ...(reads.namespace === undefined ? {} : { namespace: reads.namespace }),
      networkAttachments: reads.networkAttachments,
      sidecarConfigMaps: reads.sidecarConfigMaps,
    },
    variant,
    ordinal,
  });
  if (result.type === 'error') return { ...unrenderable(vmi, noun, result), vmi: result.vmi };
  const bindings = discontinuedBindings(vmi);
  if (bindings.length > 0) {
    return { actions: [], error: retried('FailedCreateValidation', bindings.join('; ')), vmi: result.vmi };
  }
  const { pod } = result;
  return {
    ...posted(pass, noun, writtenForm({ ...pod, metadata: { ...pod.metadata, name, namespace: metadata.namespace } })),
    vmi: result.vmi,
  };
}

function unrenderable(vmi: VirtualMachineInstance, noun: string, failed: Failed): SyncResult {
  const message = `Failed to render the ${noun}: ${failed.message}`;
  if (failed.problem.type !== 'pvc-not-found') return { actions: [], error: retried('FailedCreate', message) };
  return {
    actions: [vmiEvent(vmi, { type: 'Warning', reason: 'FailedPvcNotFound', message })],
    error: { type: 'informal', reason: 'FailedPvcNotFound', message },
  };
}

/** The POST; after one that failed, what there is to say of it. */
function posted(pass: Pass, noun: string, pod: Pod): SyncResult {
  const failure = failureOf(pass.context, CREATE_POD_ID);
  if (failure === undefined) return { actions: creation(pass, noun, pod), pod };
  const message =
    failure.code === 403 && failure.message.includes('violates PodSecurity')
      ? `Failed to create the ${noun}: namespace ${pass.vmi.metadata.namespace} must allow privileged pods: ${failure.message}`
      : `Failed to create the ${noun}: ${failure.message}`;
  return {
    actions: [vmiEvent(pass.vmi, { type: 'Warning', reason: 'FailedCreate', message })],
    error: retried('FailedCreate', message),
  };
}

function creation(pass: Pass, noun: string, pod: Pod): readonly Action[] {
  const create: CreateAction = {
    id: CREATE_POD_ID,
    verb: 'create',
    object: pod,
    preconditions: [noOwnedPod(pass)],
    expect: true,
  };
  const message = `The ${noun} ${pod.metadata.name} was created`;
  return [create, vmiEvent(pass.vmi, { type: 'Normal', reason: 'SuccessfulCreate', message })];
}

function retried(reason: string, message: string): SyncError {
  return { type: 'retried', reason, message };
}
