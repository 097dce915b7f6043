/** How a deletion is wanted: in the body, or in the query. */
import { isObj, type Value } from '../json/value.ts';
import { badRequest, cause, Refusal } from '../refusals.ts';

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export interface DeleteOptions {
  readonly graceSeconds?: number;
  readonly propagation?: Propagation;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

const POLICIES: readonly string[] = ['Background', 'Foreground', 'Orphan'];

/** A body that says something wins over the query. Throws `Refusal`. */
export function deleteOptions(body: Value | undefined, query: URLSearchParams): DeleteOptions {
  const from = isObj(body) ? body : queried(query);
  const { gracePeriodSeconds: grace, orphanDependents } = from;
  const policy =
    from.propagationPolicy ?? (orphanDependents === undefined ? undefined : legacyPolicy(orphanDependents));
  if (policy !== undefined && policy !== null && !isPolicy(policy)) throw wrongPolicy(policy);
  if (grace !== undefined && grace !== null && typeof grace !== 'number')
    throw badRequest('gracePeriodSeconds: not a number');
  const { uid, resourceVersion } = isObj(from.preconditions) ? from.preconditions : {};
  return {
    ...(typeof grace === 'number' ? { graceSeconds: grace } : {}),
    ...(isPolicy(policy) ? { propagation: policy } : {}),
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
  };
}

function queried(query: URLSearchParams): Record<string, Value> {
  const grace = query.get('gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  return {
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
  };
}

function legacyPolicy(orphan: Value): Value {
  return orphan === true ? 'Orphan' : 'Background';
}

function isPolicy(value: Value | undefined): value is Propagation {
  return typeof value === 'string' && POLICIES.includes(value);
}

function wrongPolicy(policy: Value): Refusal {
  const supported = ['Foreground', 'Background', 'Orphan', 'nil'];
  const fault = cause.notSupported('propagationPolicy', policy, supported);
  const message = `DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: ${fault.message}`;
  return new Refusal(422, 'Invalid', message, { group: 'meta.k8s.io', kind: 'DeleteOptions', causes: [fault] });
}
