import { at, equal, textAt } from '../../json/value.ts';
import type { ApiObject } from '../../objects.ts';
import { cause } from '../../refusals.ts';
import { builtIn } from '../../resources/built-in.ts';
import type { Resource } from '../../resources/resource.ts';
import { podDefaults } from './defaults.ts';
import { qosClass } from './qos.ts';
import { validatePodUpdate } from './update.ts';
import { validatePod } from './validate.ts';

export const pods: Resource = builtIn({
  kind: 'Pod',
  plural: 'pods',
  defaults: (pod) => {
    podDefaults(pod);
    (pod.status ??= {}).phase ??= 'Pending';
  },
  initialStatus: (pod) => ({ phase: 'Pending', qosClass: qosClass(pod) }),
  strategy: {
    prepareUpdate: (next, old) => {
      next.status = old.status ?? {};
    },
    prepareStatus: (next, old) => {
      next.spec = old.spec ?? {};
      const qos = old.status?.qosClass;
      if (qos !== undefined) (next.status ??= {}).qosClass ??= qos;
      if (old.metadata.deletionTimestamp === undefined) delete next.metadata.deletionTimestamp;
      if (old.metadata.ownerReferences === undefined) delete next.metadata.ownerReferences;
      else next.metadata.ownerReferences = old.metadata.ownerReferences;
    },
    isNewGeneration: (next, old) => !equal(next.spec, old.spec),
    validate: validatePod,
    validateUpdate: validatePodUpdate,
    validateStatus: (next, old) => {
      const qos = next.status?.qosClass;
      return qos === old.status?.qosClass ? [] : [cause.invalid('status.qosClass', qos, 'field is immutable')];
    },
    returnsDeleted: true,
    graceSeconds: podGrace,
    selectable: {
      'spec.nodeName': (pod) => textAt(pod.spec, 'nodeName') ?? '',
      'spec.restartPolicy': (pod) => textAt(pod.spec, 'restartPolicy') ?? '',
      'spec.schedulerName': (pod) => textAt(pod.spec, 'schedulerName') ?? '',
      'spec.serviceAccountName': (pod) => textAt(pod.spec, 'serviceAccountName') ?? '',
      'spec.hostNetwork': (pod) => String(at(pod.spec, 'hostNetwork') === true),
      'status.phase': (pod) => textAt(pod.status, 'phase') ?? '',
      'status.podIP': (pod) => textAt(pod.status, 'podIP') ?? '',
      'status.nominatedNodeName': (pod) => textAt(pod.status, 'nominatedNodeName') ?? '',
    },
  },
});

/** A pod that no kubelet has, or that has ended, goes at once. */
function podGrace(pod: ApiObject, asked: number | undefined): number {
  const phase = textAt(pod.status, 'phase');
  if (textAt(pod.spec, 'nodeName') === undefined || phase === 'Succeeded' || phase === 'Failed') return 0;
  const own = at(pod.spec, 'terminationGracePeriodSeconds');
  const seconds = asked ?? (typeof own === 'number' ? own : 30);
  return seconds < 0 ? 1 : seconds;
}
