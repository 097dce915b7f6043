/** Built-in kinds of the named groups. */
import { equal } from '../json/value.ts';
import { cause } from '../refusals.ts';
import { builtIn } from '../resources/built-in.ts';
import type { Resource } from '../resources/resource.ts';

export const controllerRevisions: Resource = builtIn({
  group: 'apps',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  strategy: {
    validate: (object) => (object.data === undefined ? [cause.required('data', 'data is mandatory')] : []),
    validateUpdate: (next, old) =>
      equal(next.data, old.data) ? [] : [cause.invalid('data', next.data, 'field is immutable')],
  },
});

export const daemonSets: Resource = builtIn({
  group: 'apps',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  initialStatus: () => ({
    currentNumberScheduled: 0,
    desiredNumberScheduled: 0,
    numberMisscheduled: 0,
    numberReady: 0,
  }),
  strategy: { isNewGeneration: (next, old) => !equal(next.spec, old.spec) },
});

export const podDisruptionBudgets: Resource = builtIn({
  group: 'policy',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  initialStatus: () => ({ currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }),
  strategy: { unconditionalUpdate: false, isNewGeneration: (next, old) => !equal(next.spec, old.spec) },
});

export const leases: Resource = builtIn({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  plural: 'leases',
  strategy: { unconditionalUpdate: false, createOnUpdate: true },
});

export const runtimeClasses: Resource = builtIn({
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  namespaced: false,
  strategy: { unconditionalUpdate: false },
});

export const priorityClasses: Resource = builtIn({
  group: 'scheduling.k8s.io',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  namespaced: false,
  defaults: (object) => {
    object.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  strategy: { isNewGeneration: () => false },
});
