import type { Container } from '../pod-types.ts';
import { type Reason, type Reasoned, reason } from '../reason.ts';

/** Why the containers of a list of the pod are there. */
export function containerReasons(
  list: 'containers' | 'initContainers',
  containers: readonly Reasoned<Container>[],
): readonly Reason[] {
  return containers.map(({ value, because }) => reason(['spec', list, value.name], ...because));
}
