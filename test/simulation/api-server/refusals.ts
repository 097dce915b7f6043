/** The refusals of the API server, each with status code, reason, details and the form of its message. */
import type { ApiResponse, StatusCause, StatusDetails, StatusObject } from './ports.ts';
import type { Resource } from './resources/resource.ts';

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: StatusObject;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }

  get response(): ApiResponse {
    return { status: this.status.code ?? 500, body: this.status };
  }
}

/** A refusal without a Status object. */
class PlainRefusal extends Refusal {
  override get response(): ApiResponse {
    return { status: this.status.code ?? 500, body: `${this.message}\n` };
  }
}

/** A path of no group that is built in, and of nothing that is defined. */
export function noSuchPath(): Refusal {
  return new PlainRefusal(404, '', '404 page not found');
}

type Named = Pick<Resource, 'group' | 'plural' | 'kind'>;

/** `virtualmachines.kubevirt.io`, `pods`. */
function resourceName({ group, plural }: Named): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function detailsOf(resource: Named, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
  };
}

export function notFound(resource: Named, name: string): Refusal {
  return new Refusal(404, 'NotFound', `${resourceName(resource)} "${name}" not found`, detailsOf(resource, name));
}

/** A path in a group that is built in. */
export function noSuchResource(): Refusal {
  return new Refusal(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(resource: Named, name: string, isDying: boolean, isGenerated: boolean): Refusal {
  const message = `${isDying ? 'object is being deleted: ' : ''}${resourceName(resource)} "${name}" already exists`;
  if (!isGenerated) return new Refusal(409, 'AlreadyExists', message, detailsOf(resource, name));
  const why = `${message}, the server was not able to generate a unique name for the object`;
  return new Refusal(409, 'AlreadyExists', why, { ...detailsOf(resource, name), retryAfterSeconds: 1 });
}

export function conflict(resource: Named, name: string, why: string): Refusal {
  const message = `Operation cannot be fulfilled on ${resourceName(resource)} "${name}": ${why}`;
  return new Refusal(409, 'Conflict', message, detailsOf(resource, name));
}

export const STALE = 'the object has been modified; please apply your changes to the latest version and try again';

/** A uid that is not the object's, found where it is stored. */
export function wrongUid(resource: Resource, namespace: string, name: string, asked: string, found: string): Refusal {
  const key = `/registry/${resource.strategy.custom ? `${resource.group}/` : ''}${STORED_AS[resource.plural] ?? resource.plural}/${namespace === '' ? '' : `${namespace}/`}${name}`;
  const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found}`;
  return conflict(resource, name, why);
}

const STORED_AS: Readonly<Record<string, string>> = { nodes: 'minions', services: 'services/specs' };

export function forbidden(resource: Named, name: string, why: string, causes?: readonly StatusCause[]): Refusal {
  const message = `${resourceName(resource)}${name === '' ? '' : ` "${name}"`} is forbidden: ${why}`;
  return new Refusal(403, 'Forbidden', message, { ...detailsOf(resource, name), ...(causes ? { causes } : {}) });
}

export function badRequest(message: string): Refusal {
  return new Refusal(400, 'BadRequest', message);
}

export function invalid(
  resource: Named,
  name: string,
  causes: readonly StatusCause[],
  detailed: string = resource.kind,
): Refusal {
  const kind = resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`;
  const texts = [...new Set(causes.map((c) => `${c.field}: ${c.message}`))];
  const what = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const details = {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: detailed,
    causes,
  };
  return new Refusal(422, 'Invalid', `${kind} "${name}" is invalid: ${what}`, details);
}

/** A patch that can't be applied: a failed test, a path that is not there. */
export function unprocessable(): Refusal {
  const message = 'the server rejected our request due to an error in our request';
  return new Refusal(422, 'Invalid', message, {});
}

export function methodNotAllowed(): Refusal {
  const message = 'the server does not allow this method on the requested resource';
  return new Refusal(405, 'MethodNotAllowed', message, {});
}

export function unsupportedMediaType(accepted: readonly string[]): Refusal {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new Refusal(415, 'UnsupportedMediaType', message);
}

export function expired(message: string): Refusal {
  return new Refusal(410, 'Expired', message);
}

/** A version that the server has not reached yet. */
export function tooLargeVersion(asked: number, current: number): Refusal {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new Refusal(504, 'Timeout', message, { causes, retryAfterSeconds: 1 });
}

/** What the model leaves out, it refuses in words that no real server uses. */
export function unsupported(what: string): Refusal {
  return new Refusal(501, 'NotModelled', `the model of the API server has no ${what}`);
}

/** The parts of a 422, in the words of Kubernetes' field errors. */
export const cause = {
  required: (field: string, detail = ''): StatusCause => ({
    reason: 'FieldValueRequired',
    message: detail === '' ? 'Required value' : `Required value: ${detail}`,
    field,
  }),
  invalid: (field: string, value: unknown, detail: string): StatusCause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${quoted(value)}: ${detail}`,
    field,
  }),
  forbidden: (field: string, detail: string): StatusCause => ({
    reason: 'FieldValueForbidden',
    message: `Forbidden: ${detail}`,
    field,
  }),
  duplicate: (field: string, value: unknown): StatusCause => ({
    reason: 'FieldValueDuplicate',
    message: `Duplicate value: ${quoted(value)}`,
    field,
  }),
  notSupported: (field: string, value: unknown, supported: readonly string[]): StatusCause => ({
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${quoted(value)}: supported values: ${supported.map((s) => `"${s}"`).join(', ')}`,
    field,
  }),
  notFound: (field: string, value: unknown): StatusCause => ({
    reason: 'FieldValueNotFound',
    message: `Not found: ${quoted(value)}`,
    field,
  }),
};

function quoted(value: unknown): string {
  return value === undefined ? 'null' : JSON.stringify(value);
}
