/** Kinds that a CustomResourceDefinition brings. */
import { equal, isObj, type Obj, type Value } from '../json/value.ts';
import type { ApiObject, Metadata } from '../objects.ts';
import type { StatusCause } from '../ports.ts';
import { badRequest } from '../refusals.ts';
import type { Schema } from '../schema/schema.ts';
import { shapedMembers } from '../schema/shaped.ts';
import { violations } from '../schema/violations.ts';
import { types } from '../typed/types.ts';
import { groupVersion, plainStrategy, type Resource } from './resource.ts';

export interface CustomResourceDefinition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly DefinitionVersion[];
  };
}

interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly subresources?: { readonly status?: object };
  readonly schema?: { readonly openAPIV3Schema?: Schema };
}

const HEAD: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
const readMetadata = types.reader('ObjectMeta!');

export function customResource({ spec }: CustomResourceDefinition): Resource {
  const { group, names } = spec;
  const schemas = new Map(spec.versions.map((v) => [v.name, v.schema?.openAPIV3Schema ?? ANYTHING]));
  const stored = spec.versions.find((v) => v.storage);
  if (stored === undefined) throw new Error(`no stored version of ${names.kind}`);
  const storedAs = groupVersion(group, stored.name);
  const hasStatus = stored.subresources?.status !== undefined;
  const storedSchema = schemas.get(stored.name) ?? ANYTHING;
  const validate = (object: ApiObject): StatusCause[] => violationsOf(object, storedSchema);
  return {
    group,
    plural: names.plural,
    kind: names.kind,
    namespaced: spec.scope === 'Namespaced',
    versions: spec.versions.filter((v) => v.served).map((v) => v.name),
    storedAs,
    strategy: {
      ...plainStrategy,
      custom: true,
      unconditionalUpdate: false,
      decode: (body, version) => {
        checkHead(body, groupVersion(group, version), names.kind);
        const metadata = readMetadata(body.metadata, 'metadata') as unknown as Metadata;
        const rest = shapedMembers(body, schemas.get(version) ?? storedSchema, HEAD);
        return { apiVersion: storedAs, kind: names.kind, metadata, ...rest } as ApiObject;
      },
      isNewGeneration: (next, old) => !sameBut(next, old, hasStatus ? WITHOUT_STATUS : HEAD),
      validate,
      validateUpdate: validate,
      ...(hasStatus
        ? { prepareCreate: dropStatus, prepareUpdate: keepStatus, prepareStatus: takeStatus, validateStatus: validate }
        : {}),
    },
  };
}

const ANYTHING: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const WITHOUT_STATUS: ReadonlySet<string> = new Set([...HEAD, 'status']);

function checkHead(body: Value, apiVersion: string, kind: string): asserts body is Obj {
  if (!isObj(body) || typeof body.kind !== 'string' || body.kind === '')
    throw badRequest(`Object 'Kind' is missing in '${JSON.stringify(body)}'`);
  if (typeof body.apiVersion !== 'string' || body.apiVersion === '')
    throw badRequest(`Object 'apiVersion' is missing in '${JSON.stringify(body)}'`);
  if (body.apiVersion !== apiVersion)
    throw badRequest(
      `the API version in the data (${body.apiVersion}) does not match the expected API version (${apiVersion})`,
    );
  if (body.kind !== kind)
    throw badRequest(`the kind in the data (${body.kind}) does not match the expected kind (${kind})`);
}

function violationsOf(object: ApiObject, schema: Schema): StatusCause[] {
  const found = violations({ ...object, metadata: {} }, schema, '');
  return found.length > 0 && hasRules(schema) ? [...found, RULES_UNCHECKED] : found;
}

const RULES_UNCHECKED: StatusCause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
};

const withRules = new WeakMap<Schema, boolean>();

/** Rules in the expression language are not checked here; a server that checks them says so when it can't. */
function hasRules(schema: Schema): boolean {
  let found = withRules.get(schema);
  if (found === undefined) {
    found = JSON.stringify(schema).includes('"x-kubernetes-validations"');
    withRules.set(schema, found);
  }
  return found;
}

function sameBut(a: ApiObject, b: ApiObject, but: ReadonlySet<string>): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) if (!but.has(name) && !equal(a[name], b[name])) return false;
  return true;
}

function dropStatus(object: ApiObject): void {
  delete object.status;
}

function keepStatus(next: ApiObject, old: ApiObject): void {
  if (old.status === undefined) delete next.status;
  else next.status = old.status;
}

/** Of what is sent to a custom resource's status only the status counts. */
function takeStatus(next: ApiObject, old: ApiObject): void {
  for (const name of Object.keys(next)) if (name !== 'status' && !(name in old)) delete next[name];
  for (const name of Object.keys(old)) if (name !== 'status' && name !== 'metadata') next[name] = old[name];
  next.metadata = { ...old.metadata };
}
