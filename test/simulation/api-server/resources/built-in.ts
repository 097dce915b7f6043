/** Kinds that are part of every API server: what they have in common. */
import { asText, isObj, type Value } from '../json/value.ts';
import type { ApiObject } from '../objects.ts';
import { badRequest } from '../refusals.ts';
import { types } from '../typed/types.ts';
import { groupVersion, plainStrategy, type Resource, type Strategy } from './resource.ts';

export interface BuiltIn {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced?: boolean;
  /** Fills in the defaults of a decoded object. */
  readonly defaults?: (object: ApiObject) => void;
  /** Absent: the kind has no subresource `status`. */
  readonly initialStatus?: (object: ApiObject, now: string) => ApiObject['status'];
  readonly strategy?: Partial<Strategy>;
}

export function builtIn(b: BuiltIn): Resource {
  const { group = '', version = 'v1', kind, plural } = b;
  const apiVersion = groupVersion(group, version);
  const read = types.reader(`${kind}!`);
  const { initialStatus } = b;
  return {
    group,
    plural,
    kind,
    namespaced: b.namespaced ?? true,
    versions: [version],
    storedAs: apiVersion,
    strategy: {
      ...plainStrategy,
      ...(initialStatus === undefined
        ? {}
        : {
            prepareCreate: (object, now) => {
              const status = initialStatus(object, now);
              if (status !== undefined) object.status = status;
            },
            prepareUpdate: keepStatus,
            prepareStatus: keepAllButStatus,
          }),
      ...b.strategy,
      decode: (body) => {
        checkHead(body, apiVersion, kind);
        const object = { ...(read(body, '') as ApiObject), apiVersion, kind };
        b.defaults?.(object);
        return object;
      },
    },
  };
}

function checkHead(body: Value, apiVersion: string, kind: string): void {
  if (!isObj(body)) throw badRequest(`couldn't get version/kind; json parse error: ${typeof body}`);
  if (typeof body.kind === 'string' && body.kind !== '' && body.kind !== kind)
    throw badRequest(`${body.kind} in version "${asText(body.apiVersion)}" cannot be handled as a ${kind}`);
  if (typeof body.apiVersion === 'string' && body.apiVersion !== '' && body.apiVersion !== apiVersion)
    throw badRequest(
      `the API version in the data (${body.apiVersion}) does not match the expected API version (${apiVersion})`,
    );
}

function keepStatus(next: ApiObject, old: ApiObject): void {
  if (old.status === undefined) delete next.status;
  else next.status = old.status;
}

/** Unlike with custom resources, labels and annotations may be changed on this way. */
function keepAllButStatus(next: ApiObject, old: ApiObject): void {
  for (const name of Object.keys(next))
    if (name !== 'metadata' && name !== 'status' && !(name in old)) delete next[name];
  for (const [name, v] of Object.entries(old)) if (name !== 'metadata' && name !== 'status') next[name] = v;
}
