/** The pod that makes a hotplugged claim bind that waits for its first consumer (launcher-pod.md 18). */
import { attempt, type PodResult } from '../render-result.ts';
import { HOTPLUG_VOLUME, type HotplugOwner, hotplugPod, SERVE_COMMAND } from './hotplug-pod.ts';

export interface TriggerPodInput extends HotplugOwner {
  readonly volumeName: string;
  readonly claimName: string;
  readonly volumeMode: 'Block' | 'Filesystem';
  /** `temporary`: the pod ends at once, its scheduling is all that counts. */
  readonly stay: 'temporary' | 'lasting';
}

export function renderTriggerPod(input: TriggerPodInput): PodResult {
  const { owner, volumeName: name, claimName, volumeMode, stay } = input;
  const block = volumeMode === 'Block';
  const { tolerations } = owner.spec;
  const term = {
    labelSelector: { matchLabels: { ...owner.metadata.labels } },
    topologyKey: 'kubernetes.io/hostname',
  };
  const rendered = attempt(() =>
    hotplugPod(input, {
      ...(stay === 'temporary' ? { annotations: { 'kubevirt.io/ephemeral-provisioning': 'true' } } : {}),
      command: stay === 'temporary' ? ['/bin/bash', '-c', 'exit', '0'] : SERVE_COMMAND,
      volumeMounts: block ? [] : [{ name, mountPath: '/pvc' }],
      ...(block ? { volumeDevices: [{ name, devicePath: '/dev/hotplugblockdevice' }] } : {}),
      spec: {
        affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
        ...(tolerations === undefined ? {} : { tolerations }),
        volumes: [{ name, persistentVolumeClaim: { claimName } }, HOTPLUG_VOLUME],
        ...(block ? { securityContext: { runAsUser: 0 } } : {}),
      },
    }),
  );
  return rendered.type === 'error' ? rendered : { type: 'rendered', pod: rendered.value };
}
