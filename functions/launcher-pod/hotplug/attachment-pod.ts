/** The pod through which hotplugged volumes reach the node of a running VM (launcher-pod.md 17). */
import type { PersistentVolumeClaim } from '../../core/objects.ts';
import type { Container, VmiVolume, Volume } from '../pod-types.ts';
import { unlessBlank, unlessEmpty } from '../present.ts';
import { attempt, type PodResult } from '../render-result.ts';
import { HOTPLUG_VOLUME, type HotplugOwner, hotplugPod, SERVE_COMMAND } from './hotplug-pod.ts';
import { attachmentTolerations } from './tolerations.ts';

/** Phases of a hotplugged volume whose file system the node agent has taken over already. */
const TAKEN_OVER = ['Ready', 'MountedToPod'];

export interface AttachmentPodInput extends HotplugOwner {
  /** All hotplugged volumes that are ready, utility volumes included. */
  readonly volumes: readonly VmiVolume[];
  /** By the volume's name; a volume without one stays in the pod, but is neither mounted nor a device of it. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
}

export function renderAttachmentPod(input: AttachmentPodInput): PodResult {
  const { owner, configuration } = input;
  const volumes = input.volumes.flatMap((v) => podVolume(v) ?? []);
  const claimed = volumes.flatMap(({ name }) => {
    const claim = input.claims.get(name);
    return claim === undefined ? [] : [{ name, claim }];
  });
  const devices = claimed.filter((c) => isBlock(c.claim));
  const mounts = claimed.filter((c) => !isBlock(c.claim) && !isTakenOver(c.name, input));
  const volumeDevices: Container['volumeDevices'] = unlessEmpty(
    devices.map(({ name, claim }) => ({ name, devicePath: `/path/${name}/${claim.metadata.uid}` })),
  );
  const requirement = { key: 'kubernetes.io/hostname', operator: 'In', values: [owner.spec.nodeName ?? ''] };
  const rendered = attempt(() =>
    hotplugPod(input, {
      command: SERVE_COMMAND,
      selinuxType: unlessBlank(configuration.kubevirt.selinuxLauncherType),
      volumeMounts: mounts.map(({ name }) => ({ name, mountPath: `/${name}` })),
      volumeDevices,
      spec: {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [requirement] }],
            },
          },
        },
        tolerations: attachmentTolerations(owner.spec.tolerations ?? []),
        volumes: [HOTPLUG_VOLUME, ...volumes],
      },
    }),
  );
  return rendered.type === 'error' ? rendered : { type: 'rendered', pod: rendered.value };
}

function podVolume({ name, dataVolume, persistentVolumeClaim, memoryDump }: VmiVolume): Volume | undefined {
  const claimName = dataVolume?.name ?? persistentVolumeClaim?.claimName ?? memoryDump?.claimName;
  return claimName === undefined ? undefined : { name, persistentVolumeClaim: { claimName } };
}

function isBlock(claim: PersistentVolumeClaim): boolean {
  return claim.spec.volumeMode === 'Block';
}

function isTakenOver(name: string, { vmi }: AttachmentPodInput): boolean {
  const status = vmi.status?.volumeStatus?.find((s) => s.name === name);
  return status?.hotplugVolume !== undefined && TAKEN_OVER.includes(status.phase ?? '');
}
