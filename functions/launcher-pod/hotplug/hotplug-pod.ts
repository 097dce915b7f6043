/** What attachment pods (launcher-pod.md 17) and trigger pods (18) have in common. */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { Pod, VirtualMachineInstance } from '../../core/objects.ts';
import type { RenderedPod } from '../input.ts';
import type { Container, PodSpec } from '../pod-types.ts';
import { QEMU_USER } from '../predicates/user.ts';
import { present, unlessBlank } from '../present.ts';
import { RenderError } from '../render-error.ts';
import { supportResources } from '../resources/support-resources.ts';
import { NO_SELINUX, selinuxLevel } from '../selinux-level.ts';

const DEFAULTS = { requests: { cpu: '10m', memory: '2M' }, limits: { cpu: '100m', memory: '80M' } };
/** The level of containers whose VM has none of its own. */
const COMMON_LEVEL = 's0';

/** Where the launcher looks for what is attached while the VM runs. */
export const HOTPLUG_VOLUME = { name: 'hotplug-disks', emptyDir: {} };

export const SERVE_COMMAND = ['/bin/sh', '-c', '/usr/bin/container-disk --copy-path /path/hp'];

export interface HotplugOwner {
  readonly vmi: VirtualMachineInstance;
  /** The launcher pod whose node the pod shares. */
  readonly owner: Pod;
  readonly configuration: ClusterConfiguration;
}

export interface HotplugParts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly selinuxType?: string;
  /** Mounts behind that of the hotplug directory. */
  readonly volumeMounts: NonNullable<Container['volumeMounts']>;
  readonly volumeDevices?: Container['volumeDevices'];
  readonly spec: Pick<PodSpec, 'affinity' | 'tolerations' | 'volumes' | 'securityContext'>;
}

/** @throws RenderError `selinux-context-unknown`, `bad-selinux-context` */
export function hotplugPod({ vmi, owner, configuration }: HotplugOwner, parts: HotplugParts): RenderedPod {
  const seLinuxOptions = present({ type: parts.selinuxType, level: unlessBlank(levelOf(vmi)) });
  const { uid = '', name } = owner.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: 'hp-volume-',
      labels: { 'kubevirt.io': 'hotplug-disk' },
      annotations: {
        'kubevirt.io/owner-vmi-name': vmi.metadata.name,
        'kubevirt.io/owner-vmi-uid': vmi.metadata.uid ?? '',
        ...parts.annotations,
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: present({
      ...parts.spec,
      terminationGracePeriodSeconds: 0,
      containers: [
        present({
          name: 'hotplug-disk',
          image: configuration.process.launcherImage,
          command: [...parts.command],
          resources: supportResources(configuration, 'hotplug-disk', DEFAULTS, false).resources,
          securityContext: {
            allowPrivilegeEscalation: false,
            runAsNonRoot: true,
            runAsUser: QEMU_USER,
            seccompProfile: { type: 'RuntimeDefault' },
            capabilities: { drop: ['ALL'] },
            seLinuxOptions,
          },
          volumeMounts: [
            { name: HOTPLUG_VOLUME.name, mountPath: '/path', mountPropagation: 'HostToContainer' },
            ...parts.volumeMounts,
          ],
          volumeDevices: parts.volumeDevices,
        }),
      ],
    }),
  };
}

/** The VM's level, so that it may open what the pod shows; while the VM arrives from another cluster, its level there. */
function levelOf({ status }: VirtualMachineInstance): string {
  const context = status?.selinuxContext || status?.migrationState?.sourceState?.selinuxContext || '';
  if (context === '') throw new RenderError({ type: 'selinux-context-unknown' });
  return context === NO_SELINUX ? COMMON_LEVEL : selinuxLevel(context, 4);
}
