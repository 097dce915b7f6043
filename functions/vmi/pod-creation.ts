import type { Action, CreateAction } from '../core/action.ts';
import { gateEnabled } from '../core/configuration/feature-gates.ts';
import { failureOf } from '../core/context.ts';
import { freeDerivedName } from '../core/derived-name.ts';
import type { Pod, VirtualMachineInstance } from '../core/objects.ts';
import { writtenForm } from '../core/written-form/written-form.ts';
import { renderLauncherPod } from '../launcher-pod/render-launcher-pod.ts';
import { noOwnedPod } from './absent-pods.ts';
import { containerPathVolumes } from './container-path-volumes.ts';
import { discontinuedBindings } from './discontinued-bindings.ts';
import type { Pass, SyncError } from './pass.ts';
import type { SyncResult } from './sync-step.ts';
import { unservedNeeds } from './unserved-needs.ts';
import { vmiEvent } from './vmi-event.ts';
import { isUnprocessed } from './vmi-phase.ts';

export const CREATE_POD_ID = 'create launcher pod';

/** Makes the one launcher pod of a VMI (vmi.md 6.4). The first check that fails ends it. */
export function createLauncherPod(pass: Pass): SyncResult {
  if (!isUnprocessed(pass.vmi)) return { actions: [] };
  return refused(pass) ?? rendered(pass);
}

/** Checks before rendering. Needs that are not served stand in for those that other chapters would check here. */
function refused({ vmi, reads, context }: Pass): SyncResult | undefined {
  const needs = unservedNeeds(vmi, reads.claims);
  if (needs.length > 0) {
    const message = `The VMI needs what is not served: ${needs.join('; ')}`;
    // Nothing is won by trying again: only a change of the VMI or of its claims helps.
    return { actions: [], error: { type: 'informal', reason: 'FailedCreate', message } };
  }
  const volumes = containerPathVolumes(vmi);
  if (volumes.length === 0 || gateEnabled(context.configuration, 'ContainerPathVolumes')) return undefined;
  const reason = 'ContainerPathVolumesDisabled';
  const message = `Feature gate ContainerPathVolumes is off, and volumes need it: ${volumes.join(', ')}`;
  return { actions: [vmiEvent(vmi, { type: 'Warning', reason, message })], error: retried(reason, message) };
}

function rendered(pass: Pass): SyncResult {
  const { vmi, reads, context } = pass;
  const { metadata } = vmi;
  const borne = new Set(pass.pods.map((p) => p.metadata.name));
  const generateName = `virt-launcher-${metadata.name}-`;
  const { name, ordinal } = freeDerivedName(generateName, metadata.uid ?? '', 'launcher', borne);
  const result = renderLauncherPod({
    vmi,
    configuration: context.configuration,
    related: {
      claims: reads.claims,
      quotas: reads.quotas,
      ...(reads.namespace === undefined ? {} : { namespace: reads.namespace }),
      networkAttachments: [],
      sidecarConfigMaps: [],
    },
    variant: 'launch',
    ordinal,
  });
  if (result.type === 'error') return { ...unrenderable(vmi, result.problem.type, result.message), vmi: result.vmi };
  const bindings = discontinuedBindings(vmi);
  if (bindings.length > 0) {
    return { actions: [], error: retried('FailedCreateValidation', bindings.join('; ')), vmi: result.vmi };
  }
  const { pod } = result;
  return {
    ...posted(pass, writtenForm({ ...pod, metadata: { ...pod.metadata, name, namespace: metadata.namespace } })),
    vmi: result.vmi,
  };
}

function unrenderable(vmi: VirtualMachineInstance, problem: string, detail: string): SyncResult {
  const message = `Failed to render the launcher pod: ${detail}`;
  if (problem !== 'pvc-not-found') return { actions: [], error: retried('FailedCreate', message) };
  return {
    actions: [vmiEvent(vmi, { type: 'Warning', reason: 'FailedPvcNotFound', message })],
    error: { type: 'informal', reason: 'FailedPvcNotFound', message },
  };
}

/** The POST; after one that failed, what there is to say of it. */
function posted(pass: Pass, pod: Pod): SyncResult {
  const failure = failureOf(pass.context, CREATE_POD_ID);
  if (failure === undefined) return { actions: creation(pass, pod), pod };
  const message =
    failure.code === 403 && failure.message.includes('violates PodSecurity')
      ? `Failed to create the launcher pod: namespace ${pass.vmi.metadata.namespace} must allow privileged pods: ${failure.message}`
      : `Failed to create the launcher pod: ${failure.message}`;
  return {
    actions: [vmiEvent(pass.vmi, { type: 'Warning', reason: 'FailedCreate', message })],
    error: retried('FailedCreate', message),
  };
}

function creation(pass: Pass, pod: Pod): readonly Action[] {
  const create: CreateAction = {
    id: CREATE_POD_ID,
    verb: 'create',
    object: pod,
    preconditions: [noOwnedPod(pass)],
    expect: true,
  };
  const message = `Launcher pod ${pod.metadata.name} was created`;
  return [create, vmiEvent(pass.vmi, { type: 'Normal', reason: 'SuccessfulCreate', message })];
}

function retried(reason: string, message: string): SyncError {
  return { type: 'retried', reason, message };
}
