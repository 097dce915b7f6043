import type { Kind } from '../../core/kind.ts';
import type { ControllerRevision, KubeObject } from '../../core/objects.ts';
import { misfitIn, pathText } from '../../core/written-form/misfit.ts';
import { writtenAs } from '../../core/written-form/written-form.ts';
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
  const spec = specOf(side, data['spec']);
  return spec.type === 'misfit'
    ? error(`an object of which ${spec.message}`)
    : { type: 'decoded', object: { ...data, spec: spec.spec } as unknown as T };
}

export type DecodedSpec =
  | { readonly type: 'spec'; readonly spec: object }
  /** `spec.cpu.guest is not a whole number` */
  | { readonly type: 'misfit'; readonly message: string };

/** A spec as its type has it: what the type holds by value is there. */
export function specOf({ specType }: Pick<Side, 'specType'>, given: unknown): DecodedSpec {
  if (!isObject(given ?? {})) return { type: 'misfit', message: 'spec is not an object' };
  const spec = writtenAs(given ?? {}, specType);
  const misfit = misfitIn(spec, specType, ['spec']);
  return misfit === undefined
    ? { type: 'spec', spec }
    : { type: 'misfit', message: `${pathText(misfit.path)} is not ${misfit.expected}` };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
