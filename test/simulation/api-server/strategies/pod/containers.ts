import { type Obj, objsAt } from '../../json/value.ts';
import type { ApiObject } from '../../objects.ts';

export function containersOf(pod: ApiObject): Obj[] {
  return objsAt(pod.spec, 'containers');
}

export function initContainersOf(pod: ApiObject): Obj[] {
  return objsAt(pod.spec, 'initContainers');
}

export function allContainersOf(pod: ApiObject): Obj[] {
  return [...initContainersOf(pod), ...containersOf(pod)];
}

/** An init container that stays: a sidecar. */
export function isRestartable(container: Obj): boolean {
  return container.restartPolicy === 'Always';
}
