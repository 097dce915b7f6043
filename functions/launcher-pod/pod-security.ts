/** Security settings of the whole pod (launcher-pod.md 6). */
import type { ClusterConfiguration } from '../core/configuration/configuration.ts';
import { gateEnabled } from '../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import type { Container, PodSecurityContext } from './pod-types.ts';
import { isNonRoot, QEMU_USER } from './predicates/user.ts';
import { present, unlessBlank } from './present.ts';

export function podSecurityContext(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): PodSecurityContext {
  const type = unlessBlank(configuration.kubevirt.selinuxLauncherType);
  const user = isNonRoot(vmi) ? { runAsUser: QEMU_USER, runAsGroup: QEMU_USER, runAsNonRoot: true } : { runAsUser: 0 };
  return present({
    ...user,
    fsGroup: QEMU_USER,
    seccompProfile: seccompProfile(configuration),
    seLinuxOptions: type === undefined ? undefined : { type },
  });
}

function seccompProfile({ kubevirt }: ClusterConfiguration): PodSecurityContext['seccompProfile'] {
  const profile = kubevirt.seccompConfiguration?.virtualMachineInstanceProfile?.customProfile;
  const { localhostProfile, runtimeDefaultProfile } = profile ?? {};
  if (localhostProfile !== undefined) return { type: 'Localhost', localhostProfile };
  return runtimeDefaultProfile === true ? { type: 'RuntimeDefault' } : undefined;
}

/** Gate `DockerSELinuxMCSWorkaround`: all containers but compute get a level that the node's runtime would not choose. */
export function withSelinuxLevel(
  containers: readonly Container[],
  configuration: ClusterConfiguration,
): readonly Container[] {
  if (!gateEnabled(configuration, 'DockerSELinuxMCSWorkaround')) return containers;
  const seLinuxOptions = present({ type: unlessBlank(configuration.kubevirt.selinuxLauncherType), level: 's0' });
  return containers.map((c) =>
    c.name === 'compute' ? c : { ...c, securityContext: { ...c.securityContext, seLinuxOptions } },
  );
}
