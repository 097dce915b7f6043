/** Small kinds of the core group. */
import { asText, equal, objAt, objsAt, textAt, type Value } from '../json/value.ts';
import type { ApiObject } from '../objects.ts';
import type { StatusCause } from '../ports.ts';
import { cause } from '../refusals.ts';
import { builtIn } from '../resources/built-in.ts';
import type { Resource } from '../resources/resource.ts';

export const configMaps: Resource = builtIn({
  kind: 'ConfigMap',
  plural: 'configmaps',
  strategy: { validateUpdate: (next, old) => immutableData(next, old) },
});

export const secrets: Resource = builtIn({
  kind: 'Secret',
  plural: 'secrets',
  defaults: (secret) => {
    secret.type ??= 'Opaque';
    const texts = objAt(secret, 'stringData');
    if (texts === undefined) return;
    const encoded = Object.entries(texts).map(([k, v]) => [k, Buffer.from(asText(v)).toString('base64')] as const);
    secret.data = { ...objAt(secret, 'data'), ...Object.fromEntries(encoded) };
    delete secret.stringData;
  },
  strategy: {
    validateUpdate: (next, old) => {
      const found = immutableData(next, old);
      if (next.type !== old.type) found.push(cause.invalid('type', next.type, 'field is immutable'));
      return found;
    },
    selectable: { type: (secret) => textAt(secret, 'type') ?? '' },
  },
});

/** What says of itself that it is immutable stays so. */
function immutableData(next: ApiObject, old: ApiObject): StatusCause[] {
  if (old.immutable !== true) return [];
  const found: StatusCause[] = [];
  const forbidden = (field: string): void => {
    found.push(cause.forbidden(field, 'field is immutable when `immutable` is set'));
  };
  if (next.immutable !== true) forbidden('immutable');
  if (!equal(next.data, old.data)) forbidden('data');
  if (!equal(next.binaryData, old.binaryData)) forbidden('binaryData');
  return found;
}

export const serviceAccounts: Resource = builtIn({
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  strategy: { returnsDeleted: true },
});

export const resourceQuotas: Resource = builtIn({
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  initialStatus: () => ({}),
  strategy: { returnsDeleted: true },
});

export const events: Resource = builtIn({
  kind: 'Event',
  plural: 'events',
  strategy: {
    createOnUpdate: true,
    nameRule: 'path-segment',
    validate: (event) => {
      const about = textAt(event.involvedObject, 'namespace') ?? '';
      const { namespace = '' } = event.metadata;
      const fits = about === '' ? namespace === 'default' || namespace === '' : about === namespace;
      return fits ? [] : [cause.invalid('involvedObject.namespace', about, 'does not match event.namespace')];
    },
    selectable: {
      ...involvedFields(['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']),
      reason: (event) => textAt(event, 'reason') ?? '',
      type: (event) => textAt(event, 'type') ?? '',
      reportingComponent: (event) => textAt(event, 'reportingComponent') ?? '',
      source: (event) => textAt(event.source, 'component') ?? textAt(event, 'reportingComponent') ?? '',
    },
  },
});

function involvedFields(names: readonly string[]): Record<string, (event: ApiObject) => string> {
  return Object.fromEntries(
    names.map((name) => [`involvedObject.${name}`, (event: ApiObject) => textAt(event.involvedObject, name) ?? '']),
  );
}

export const services: Resource = builtIn({
  kind: 'Service',
  plural: 'services',
  defaults: (service) => {
    const spec = service.spec ?? {};
    spec.type ??= 'ClusterIP';
    spec.sessionAffinity ??= 'None';
    if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
    for (const port of objsAt(spec, 'ports')) {
      port.protocol ??= 'TCP';
      port.targetPort ??= port.port as Value;
    }
  },
  initialStatus: () => ({ loadBalancer: {} }),
  strategy: { nameRule: 'service', returnsDeleted: true, createOnUpdate: true },
});
