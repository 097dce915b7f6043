/** What the migration controller changes in a rendered target (launcher-pod.md 16.4). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { RenderedPod } from '../input.ts';
import type { Container } from '../pod-types.ts';
import { present } from '../present.ts';
import { attempt, type PodResult } from '../render-result.ts';
import type { Migration } from './migration.ts';
import type { MigrationSource } from './migration-source.ts';
import { targetAffinity } from './target-affinity.ts';
import { targetNodeSelector } from './target-node-selector.ts';
import { targetSelinux } from './target-selinux.ts';

const IMAGE_OVERRIDE = 'kubevirt.io/func-test-migration-target-image-override';

export interface FinishMigrationTargetInput {
  readonly vmi: VirtualMachineInstance;
  readonly configuration: ClusterConfiguration;
  readonly migration: Migration;
  readonly source: MigrationSource;
}

/** @param pod as `renderMigrationTarget` made it; it stays as it is */
export function finishMigrationTarget(pod: RenderedPod, input: FinishMigrationTargetInput): PodResult {
  const finished = attempt(() => finish(pod, input));
  return finished.type === 'error' ? finished : { type: 'rendered', pod: finished.value };
}

function finish(pod: RenderedPod, { vmi, configuration, migration, source }: FinishMigrationTargetInput): RenderedPod {
  const { metadata, spec } = pod;
  const marks = {
    labels: { ...metadata.labels, 'kubevirt.io/migrationJobUID': migration.metadata.uid ?? '' },
    annotations: { ...metadata.annotations, 'kubevirt.io/migrationJobName': migration.metadata.name },
  };
  return {
    ...pod,
    metadata: { ...metadata, ...marks },
    spec: present({
      ...spec,
      affinity: targetAffinity(spec.affinity, vmi, source),
      nodeSelector: targetNodeSelector(spec.nodeSelector ?? {}, vmi, migration, source),
      securityContext: targetSelinux(spec.securityContext, vmi, configuration, source),
      containers: withImage(spec.containers, migration.metadata.annotations?.[IMAGE_OVERRIDE] ?? ''),
    }),
  };
}

function withImage(containers: Container[], image: string): Container[] {
  return image === '' ? containers : containers.map((c) => (c.name === 'compute' ? { ...c, image } : c));
}
