import type { Kind } from '../../core/kind.ts';
import type { ControllerRevision, KubeObject } from '../../core/objects.ts';
import { misfitIn, pathText } from '../../core/written-form/misfit.ts';
import type { Side } from './side.ts';

export type Decoded<T> =
  | { readonly type: 'decoded'; readonly object: T }
  | { readonly type: 'error'; readonly message: string };

/**
 * The instance type or preference that a revision holds. Other kinds, and other versions than the one of this project's types,
 * are errors (vm.md 10.2, 10.3).
 */
export function decodeRevision<T extends KubeObject>(
  side: Pick<Side, 'matcher' | 'specType'> & { readonly namespaced: Kind<T>; readonly cluster: Kind<T> },
  { metadata, data }: ControllerRevision,
): Decoded<T> {
  const error = (what: string): Decoded<T> => ({ type: 'error', message: `revision ${metadata.name} holds ${what}` });
  if (!isObject(data)) return error(`no ${side.matcher}`);
  if (data['apiVersion'] !== side.namespaced.apiVersion) return error(`an object of ${String(data['apiVersion'])}`);
  if (data['kind'] !== side.namespaced.kind && data['kind'] !== side.cluster.kind)
    return error(`a ${String(data['kind'])}, which is no ${side.matcher}`);
  if (!isObject(data['metadata']) || typeof data['metadata']['name'] !== 'string')
    return error('an object without name');
  const wrong = misfitText(side, data['spec']);
  if (wrong !== undefined) return error(`an object of which ${wrong}`);
  return { type: 'decoded', object: data as unknown as T };
}

/** `spec.cpu.guest is not a whole number`; `undefined`: the spec fits its type. */
export function misfitText({ specType }: Pick<Side, 'specType'>, spec: unknown): string | undefined {
  const misfit = misfitIn(spec, `${specType}!`, ['spec']);
  return misfit === undefined ? undefined : `${pathText(misfit.path)} is not ${misfit.expected}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
