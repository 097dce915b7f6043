import type { ClusterConfiguration } from '../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import { RenderError } from './render-error.ts';

export interface LogVerbosity {
  /** The VMI's own label, raw. */
  readonly label?: string;
  readonly cluster: number;
  /** The label as an integer, else the cluster's value. */
  readonly effective: number;
}

/**
 * How much the launcher logs (launcher-pod.md 9.2).
 *
 * @throws RenderError `bad-log-verbosity`
 */
export function logVerbosityOf(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): LogVerbosity {
  const cluster = configuration.kubevirt.developerConfiguration?.logVerbosity?.virtLauncher ?? 2;
  const label = vmi.metadata.labels?.['logVerbosity'];
  if (label === undefined) return { cluster, effective: cluster };
  const effective = /^\d+$/.test(label) ? Number(label) : Number.NaN;
  if (!Number.isSafeInteger(effective)) throw new RenderError({ type: 'bad-log-verbosity', label });
  return { label, cluster, effective };
}
