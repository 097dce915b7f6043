/** Rules of metadata that hold for every kind. */
import { equal } from '../json/value.ts';
import type { ApiObject, Metadata, OwnerReference } from '../objects.ts';
import type { StatusCause } from '../ports.ts';
import { cause } from '../refusals.ts';
import type { Resource } from '../resources/resource.ts';
import { labelKeyFault, labelValueFault, nameFault } from '../strategies/names.ts';

export function validateMetadata(object: ApiObject, resource: Resource): StatusCause[] {
  const { metadata } = object;
  const found: StatusCause[] = [];
  const fault = nameFault(metadata.name, resource.strategy.nameRule);
  if (fault !== undefined) found.push(cause.invalid('metadata.name', metadata.name, fault));
  return [...found, ...commonMetadata(metadata)];
}

function commonMetadata(metadata: Metadata): StatusCause[] {
  const found: StatusCause[] = [];
  for (const [key, value] of Object.entries(metadata.labels ?? {})) {
    const keyFault = labelKeyFault(key);
    if (keyFault !== undefined) found.push(cause.invalid('metadata.labels', key, keyFault));
    const valueFault = labelValueFault(value);
    if (valueFault !== undefined) found.push(cause.invalid('metadata.labels', value, valueFault));
  }
  for (const key of Object.keys(metadata.annotations ?? {})) {
    const keyFault = labelKeyFault(key.toLowerCase());
    if (keyFault !== undefined) found.push(cause.invalid('metadata.annotations', key, keyFault));
  }
  owners(metadata.ownerReferences ?? [], found);
  (metadata.finalizers ?? []).forEach((finalizer, i) => {
    const keyFault = labelKeyFault(finalizer);
    if (keyFault !== undefined) found.push(cause.invalid(`metadata.finalizers[${i}]`, finalizer, keyFault));
  });
  return found;
}

function owners(references: readonly OwnerReference[], found: StatusCause[]): void {
  references.forEach((reference) => {
    for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const)
      if (reference[field] === '')
        found.push(cause.invalid(`metadata.ownerReferences.${field}`, '', 'must not be empty'));
  });
  const [first, second] = references.filter((r) => r.controller === true);
  if (first !== undefined && second !== undefined) {
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first.name} and ${second.name}`;
    found.push(cause.invalid('metadata.ownerReferences', references, detail));
  }
}

const IMMUTABLE = ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

/** What a client leaves out of these it does not mean to change. */
export function keepServersMetadata(next: ApiObject, old: ApiObject): void {
  for (const field of ['namespace', ...IMMUTABLE] as const) {
    if (next.metadata[field] === undefined && old.metadata[field] !== undefined)
      Object.assign(next.metadata, { [field]: old.metadata[field] });
  }
  if (old.metadata.deletionTimestamp !== undefined) next.metadata.deletionTimestamp = old.metadata.deletionTimestamp;
  if (old.metadata.creationTimestamp !== undefined) next.metadata.creationTimestamp = old.metadata.creationTimestamp;
  if (old.metadata.generation === undefined) delete next.metadata.generation;
  else next.metadata.generation = old.metadata.generation;
}

export function validateMetadataUpdate(next: ApiObject, old: ApiObject): StatusCause[] {
  const found: StatusCause[] = [];
  for (const field of IMMUTABLE)
    if (!equal(next.metadata[field], old.metadata[field]))
      found.push(cause.invalid(`metadata.${field}`, next.metadata[field], 'field is immutable'));
  if (old.metadata.deletionTimestamp !== undefined) {
    const added = (next.metadata.finalizers ?? []).filter((f) => !old.metadata.finalizers?.includes(f));
    if (added.length > 0) {
      const list = added.map((f) => `"${f}"`).join(', ');
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
      found.push(cause.forbidden('metadata.finalizers', detail));
    }
  }
  return [...found, ...commonMetadata(next.metadata)];
}
