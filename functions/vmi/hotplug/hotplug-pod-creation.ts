/** Making attachment and trigger pods (vmi.md 7.5, 7.6). */
import type { Action } from '../../core/action.ts';
import { failureOf } from '../../core/context.ts';
import { freeDerivedName } from '../../core/derived-name.ts';
import type { OpenExpectation } from '../../core/expectation.ts';
import type { PersistentVolumeClaim, Pod } from '../../core/objects.ts';
import { writtenForm } from '../../core/written-form/written-form.ts';
import { renderAttachmentPod } from '../../launcher-pod/hotplug/attachment-pod.ts';
import { renderTriggerPod } from '../../launcher-pod/hotplug/trigger-pod.ts';
import type { PodResult } from '../../launcher-pod/render-result.ts';
import type { Pass, SyncError } from '../pass.ts';
import { vmiEvent } from '../vmi-event.ts';
import type { Volume } from '../vmi-types.ts';

const CREATE = 'create hotplug pod ';

/** A volume whose claim is there. */
export interface ClaimedVolume {
  readonly volume: Volume;
  readonly claim: PersistentVolumeClaim;
}

export interface HotplugPodCreation {
  readonly actions: readonly Action[];
  /** The pod as it will be. */
  readonly pod?: Pod;
  readonly error?: SyncError;
}

/** A pod that was created and is not in the snapshot yet. */
export function unseenHotplugPod({ context, reads }: Pass): OpenExpectation | undefined {
  const seen = new Set(reads.attachments.map((p) => `${CREATE}${p.metadata.name}`));
  return context.expectations.find((e) => e.id.startsWith(CREATE) && !seen.has(e.id));
}

/** One pod for all volumes. What can't be rendered is waited for, without an error: the node agent has yet to tell the VM's SELinux context. */
export function createAttachmentPod(pass: Pass, launcher: Pod, volumes: readonly ClaimedVolume[]): HotplugPodCreation {
  const rendered = renderAttachmentPod({
    vmi: pass.vmi,
    owner: launcher,
    configuration: pass.context.configuration,
    volumes: volumes.map((v) => v.volume),
    claims: new Map(volumes.map((v) => [v.volume.name, v.claim])),
  });
  if (rendered.type === 'error') return { actions: [] };
  const what = volumes.map(({ volume, claim }) => [volume.name, claim.metadata.uid]);
  return posted(pass, launcher, rendered, `attachment ${JSON.stringify(what)}`);
}

/** Has a claim bound that waits for its first consumer. */
export function createTriggerPod(pass: Pass, launcher: Pod, { volume, claim }: ClaimedVolume): HotplugPodCreation {
  const rendered = renderTriggerPod({
    vmi: pass.vmi,
    owner: launcher,
    configuration: pass.context.configuration,
    volumeName: volume.name,
    claimName: claim.metadata.name,
    volumeMode: claim.spec.volumeMode === 'Block' ? 'Block' : 'Filesystem',
    stay: 'temporary',
  });
  if (rendered.type === 'error') {
    const message = `Failed to render the trigger pod of volume ${volume.name}: ${rendered.message}`;
    return { actions: [], error: { type: 'retried', reason: 'FailedCreate', message } };
  }
  return posted(pass, launcher, rendered, `trigger ${JSON.stringify([volume.name, claim.metadata.uid])}`);
}

function posted(
  pass: Pass,
  { metadata: owner }: Pod,
  { pod }: Extract<PodResult, { type: 'rendered' }>,
  intent: string,
): HotplugPodCreation {
  const borne = new Set(pass.reads.attachments.map((p) => p.metadata.name));
  const { name } = freeDerivedName(pod.metadata.generateName ?? '', owner.uid ?? '', intent, borne);
  const object: Pod = writtenForm({ ...pod, metadata: { ...pod.metadata, name, namespace: owner.namespace } });
  const id = `${CREATE}${name}`;
  const failure = failureOf(pass.context, id);
  if (failure !== undefined) {
    const message = `Failed to create pod ${name}: ${failure.message}`;
    const event = vmiEvent(pass.vmi, { type: 'Warning', reason: 'FailedCreate', message }, name);
    return { actions: [event], error: { type: 'retried', reason: 'FailedCreate', message } };
  }
  const message = `Pod ${name} was created to attach volumes`;
  const event = vmiEvent(pass.vmi, { type: 'Normal', reason: 'SuccessfulCreate', message }, name);
  return { actions: [{ id, verb: 'create', object, expect: true }, event], pod: object };
}
