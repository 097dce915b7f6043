import type { ClusterConfiguration } from '../../functions/core/configuration/configuration.ts';
import type { KubeObject } from '../../functions/core/objects.ts';
import { writtenForm } from '../../functions/core/written-form/written-form.ts';
import type { Reason } from '../../functions/launcher-pod/reason.ts';
import { renderLauncherPod } from '../../functions/launcher-pod/render-launcher-pod.ts';
import { admitted } from './admission.ts';
import { instanceOf } from './instance.ts';
import type { Manifest } from './manifest.ts';
import { fieldOf } from './problem-field.ts';
import { surroundingsOf } from './surroundings.ts';

/** The pod that a manifest would get, and why it is as it is. */
export interface PlannedPod {
  /** `VirtualMachine default/web` */
  readonly of: string;
  /** As it would be posted, without the name that the VMI controller derives from the VMI's uid. */
  readonly pod: KubeObject;
  readonly reasons: readonly Reason[];
  /** Members of the VMI that admission fills in. */
  readonly filledIn: readonly string[];
  readonly assumed: readonly string[];
}

/** @throws BadInput */
export function plannedPod(
  manifest: Manifest,
  configuration: ClusterConfiguration,
  given: readonly Manifest[],
): PlannedPod {
  const { vmi, filledIn } = admitted(instanceOf(manifest, configuration, given), configuration);
  const { related, assumed } = surroundingsOf(vmi, given);
  const result = renderLauncherPod({ vmi, configuration, related, variant: 'launch', ordinal: 0 });
  if (result.type === 'error') {
    const field = fieldOf(result.problem, vmi);
    throw manifest.bad(
      manifest.kind === 'VirtualMachine' ? ['spec', 'template', ...field] : field,
      `cannot be rendered: ${result.message}`,
    );
  }
  const { name, namespace } = vmi.metadata;
  const { pod, reasons } = result;
  const posted = writtenForm({ ...pod, metadata: { name: '', ...pod.metadata, namespace } } satisfies KubeObject);
  return { of: `${manifest.kind} ${namespace}/${name}`, pod: posted, reasons, filledIn, assumed };
}
