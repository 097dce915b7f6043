/** How fast VMIs and migrations go through their phases (runtime.md 12.4), from the changes that the leader sees. */
import { VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Caches } from '../cache/caches.ts';
import type { Change } from '../cache/kind-cache.ts';
import type { Metrics } from './metrics.ts';
import { MIGRATION_KIND } from './migration/migration-kind.ts';
import { unixSeconds } from './scraped-family.ts';

const buckets = [0.5, 1, 2, 5, 10, 20, 30, 40, 50, 60, 90, 120, 180, 300, 600, 1200, 1800, 3600];

interface Phased extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly phaseTransitionTimestamps?: readonly {
      readonly phase?: string;
      readonly phaseTransitionTimestamp?: string;
    }[];
  };
}

export function registerLifeCycleMetrics(metrics: Metrics, caches: Caches, leading: () => boolean): void {
  const of = <const L extends string>(name: string, help: string, labels: readonly L[]) =>
    metrics.histogram(name, help, labels, buckets);
  const transition = of('kubevirt_vmi_phase_transition_time_seconds', "Time from a VMI's last phase to the next.", [
    'phase',
    'last_phase',
  ]);
  const fromCreation = of(
    'kubevirt_vmi_phase_transition_time_from_creation_seconds',
    "Time from a VMI's creation to a phase.",
    ['phase'],
  );
  const fromDeletion = of(
    'kubevirt_vmi_phase_transition_time_from_deletion_seconds',
    "Time from a VMI's deletion to its final phase.",
    ['phase'],
  );
  const migration = of(
    'kubevirt_vmi_migration_phase_transition_time_from_creation_seconds',
    "Time from a migration's creation to a phase.",
    ['phase'],
  );

  caches.of(VirtualMachineInstance).onChange((change) => {
    const step = leading() ? phaseStep(change) : undefined;
    if (step === undefined) return;
    const { phase, lastPhase, at, lastAt, createdAt, deletedAt } = step;
    observe(lastAt, at, (s) => transition.observe({ phase, last_phase: lastPhase }, s));
    observe(createdAt, at, (s) => fromCreation.observe({ phase }, s));
    if (deletedAt === undefined || (phase !== 'Succeeded' && phase !== 'Failed')) return;
    observe(lastPhase === '' ? createdAt : deletedAt, at, (s) => fromDeletion.observe({ phase }, s));
  });
  caches.named(MIGRATION_KIND)?.onChange((change) => {
    const step = leading() ? phaseStep(change) : undefined;
    if (step !== undefined) observe(step.createdAt, step.at, (s) => migration.observe({ phase: step.phase }, s));
  });
}

/** A step from one phase to another; times in Unix seconds, `undefined` where the object bears none. */
function phaseStep({ old, new: now }: Change) {
  if (old === undefined || now === undefined) return undefined;
  const phase = phaseOf(now);
  const lastPhase = phaseOf(old);
  if (phase === lastPhase || phase === '') return undefined;
  const createdAt = unixSeconds(now.metadata.creationTimestamp);
  return {
    phase,
    lastPhase,
    at: stampOf(now, phase),
    lastAt: lastPhase === '' ? createdAt : stampOf(now, lastPhase),
    createdAt,
    deletedAt: unixSeconds(now.metadata.deletionTimestamp),
  };
}

function phaseOf(object: Phased): string {
  return object.status?.phase ?? '';
}

function stampOf(object: Phased, phase: string): number | undefined {
  const stamp = object.status?.phaseTransitionTimestamps?.find((t) => t.phase === phase);
  return unixSeconds(stamp?.phaseTransitionTimestamp);
}

function observe(from: number | undefined, to: number | undefined, tell: (seconds: number) => void): void {
  if (from !== undefined && to !== undefined) tell(Math.max(0, to - from));
}
