import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { PodSecurityContext } from '../pod-types.ts';
import { RenderError } from '../render-error.ts';
import { NO_SELINUX, selinuxLevel } from '../selinux-level.ts';
import { type MigrationSource, sourceStateOf } from './migration-source.ts';

/**
 * The target runs under its source's SELinux level, so that both may open the same disks (launcher-pod.md 16.4, step 6). It
 * takes the place of all other SELinux options.
 *
 * @throws RenderError `selinux-context-unknown`, `bad-selinux-context`
 */
export function targetSelinux(
  securityContext: PodSecurityContext | undefined,
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  source: MigrationSource,
): PodSecurityContext | undefined {
  if (configuration.kubevirt.migrations?.matchSELinuxLevelOnMigration === false) return securityContext;
  const context = (source.type === 'local' ? vmi.status?.selinuxContext : sourceStateOf(vmi)?.selinuxContext) ?? '';
  if (context === '') throw new RenderError({ type: 'selinux-context-unknown' });
  if (context === NO_SELINUX) return securityContext;
  const level = selinuxLevel(context, 3);
  return level === '' ? securityContext : { ...securityContext, seLinuxOptions: { level } };
}
