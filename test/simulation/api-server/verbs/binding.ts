import type { Cluster } from '../cluster.ts';
import { objsAt, textAt, type Value } from '../json/value.ts';
import { type ApiObject, isBeingDeleted } from '../objects.ts';
import type { StatusObject } from '../ports.ts';
import { conflict, notFound, Refusal } from '../refusals.ts';
import { keyOf } from '../resources/resource.ts';
import type { Route } from '../routes.ts';
import { pods } from '../strategies/pod/strategy.ts';

const bindings = { group: '', plural: 'pods/binding', kind: 'Binding' };

/** The scheduler's word where a pod runs. Throws `Refusal`. */
export function bind(cluster: Cluster, { namespace, name }: Route, body: Value): StatusObject {
  const node = textAt(body, 'target', 'name') ?? '';
  if (node === '') throw new Refusal(500, '', 'target.name: Required value');
  const pod = cluster.store.get(pods, keyOf(namespace, name));
  if (pod === undefined) throw notFound(pods, name);
  const bound = textAt(pod.spec, 'nodeName');
  if (isBeingDeleted(pod)) throw conflict(bindings, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  if (bound !== undefined) throw conflict(bindings, name, `pod ${name} is already assigned to node "${bound}"`);
  if (objsAt(pod.spec, 'schedulingGates').length > 0)
    throw conflict(bindings, name, `pod ${name} has non-empty .spec.schedulingGates`);
  cluster.store.put(pods, assigned(pod, node, cluster.now()));
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

function assigned(pod: ApiObject, node: string, now: string): ApiObject {
  const others = objsAt(pod.status, 'conditions').filter((c) => c.type !== 'PodScheduled');
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  return {
    ...pod,
    metadata: { ...pod.metadata },
    spec: { ...pod.spec, nodeName: node },
    status: { ...pod.status, conditions: [...others, scheduled] },
  };
}
