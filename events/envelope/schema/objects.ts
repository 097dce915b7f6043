/** Parts that messages in both directions are made of. */
import * as v from 'valibot';
import type { KubeObject } from '../../../functions/core/objects.ts';

const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const KEY = new RegExp(`^(?:${LABEL}/)?${LABEL}(?:\\.${LABEL})*$`);

/** `<namespace>/<name>` or `<name>`; names as Kubernetes takes them for custom resources. */
export const key = v.pipe(v.string(), v.maxLength(63 + 1 + 253), v.regex(KEY));

/** A name, uid or the like: never empty, never long. */
export const shortText = v.pipe(v.string(), v.minLength(1), v.maxLength(253));

/** Resource versions are compared, so they must be decimal numbers. */
export const resourceVersion = v.pipe(v.string(), v.maxLength(40), v.regex(/^\d+$/));

export const milliseconds = v.pipe(v.number(), v.finite(), v.minValue(0));

/** Fencing tokens start with 1. */
export const token = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** An object of the API. Opaque but for its kind and its name. */
export const kubeObject = v.custom<KubeObject>(isKubeObject, 'not an object of the Kubernetes API');

/** A key's own object; its state in the table belongs to its uid. */
export const primaryObject = v.custom<KubeObject>(
  (value) => isKubeObject(value) && isText(value.metadata.uid),
  'not an object of the Kubernetes API with a uid',
);

export const record = v.custom<Record<string, unknown>>(isRecord, 'not an object');

function isKubeObject(value: unknown): value is KubeObject {
  return (
    isRecord(value) &&
    isText(value['apiVersion']) &&
    isText(value['kind']) &&
    isRecord(value['metadata']) &&
    isText(value['metadata']['name'])
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
