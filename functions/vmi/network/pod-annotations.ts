import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { Pod, VirtualMachineInstance } from '../../core/objects.ts';
import { annotation } from '../names.ts';
import { attachmentList } from './attachment-list.ts';
import { networkInfo } from './network-info.ts';

type Configuration = ClusterConfiguration['kubevirt'];

/** Network annotations that a ready launcher pod should have; what is not generated is left as it is (vmi.md 11.5). */
export function networkAnnotations(
  vmi: VirtualMachineInstance,
  pod: Pod,
  configuration: Configuration,
): Record<string, string> {
  const info = networkInfo(vmi, pod, configuration);
  const attachments = attachmentList(vmi, pod, configuration);
  return {
    ...(info === undefined ? {} : { [annotation.networkInfo]: info }),
    ...(attachments === undefined ? {} : { [annotation.multusNetworks]: attachments }),
  };
}
