import * as v from 'valibot';
import type { Action, ActionResult, PatchBody, Precondition } from '../../../functions/core/action.ts';
import { kubeObject, record, resourceVersion, shortText } from './objects.ts';

const objectRef = { kind: shortText, namespace: v.optional(shortText), name: shortText };

const accessAttributes = v.strictObject({
  verb: shortText,
  group: v.optional(shortText),
  resource: shortText,
  subresource: v.optional(shortText),
  namespace: v.optional(shortText),
  name: v.optional(shortText),
});

const precondition: v.GenericSchema<unknown, Precondition> = v.variant('type', [
  v.strictObject({ type: v.literal('absent-name'), ...objectRef }),
  v.strictObject({
    type: v.literal('absent-labels'),
    kind: shortText,
    namespace: v.optional(shortText),
    // Without a label every object of the kind would be meant.
    labels: v.pipe(v.record(shortText, v.string()), v.minEntries(1)),
    fields: v.optional(v.record(shortText, v.string())),
  }),
  v.strictObject({ type: v.literal('live'), ...objectRef, uid: shortText }),
  v.strictObject({
    type: v.literal('access-allowed'),
    user: shortText,
    groups: v.array(shortText),
    anyOf: v.pipe(v.array(v.pipe(v.array(accessAttributes), v.minLength(1))), v.minLength(1)),
  }),
]);

const base = {
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(512)),
  preconditions: v.optional(v.array(precondition)),
  expect: v.optional(v.boolean()),
};

const jsonPatchOperation = v.strictObject({
  op: v.picklist(['add', 'remove', 'replace', 'test']),
  path: v.pipe(v.string(), v.regex(/^(?:\/(?:[^~]|~[01])*)?$/)),
  value: v.optional(v.unknown()),
});

const patchBody: v.GenericSchema<unknown, PatchBody> = v.variant('type', [
  v.strictObject({ type: v.literal('json'), operations: v.pipe(v.array(jsonPatchOperation), v.minLength(1)) }),
  v.strictObject({ type: v.literal('merge'), body: record, uid: shortText, resourceVersion }),
  v.strictObject({ type: v.literal('strategic'), body: record }),
]);

/** Strict: a field that the relay does not know could be a condition that it would not keep. */
export const action: v.GenericSchema<unknown, Action> = v.variant('verb', [
  v.strictObject({ verb: v.literal('create'), ...base, object: kubeObject }),
  v.strictObject({ verb: v.literal('update'), ...base, object: kubeObject }),
  v.strictObject({ verb: v.literal('updateStatus'), ...base, object: kubeObject }),
  v.strictObject({
    verb: v.literal('patch'),
    ...base,
    target: v.strictObject(objectRef),
    patch: patchBody,
    subresource: v.optional(v.literal('status')),
  }),
  v.strictObject({
    verb: v.literal('delete'),
    ...base,
    target: v.strictObject(objectRef),
    uid: shortText,
    resourceVersion,
    gracePeriodSeconds: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
    propagationPolicy: v.optional(v.literal('Background')),
  }),
  v.strictObject({
    verb: v.literal('subresource'),
    ...base,
    target: v.strictObject(objectRef),
    call: v.picklist(['addvolume', 'removevolume']),
    body: record,
  }),
  v.strictObject({
    verb: v.literal('event'),
    ...base,
    type: v.picklist(['Normal', 'Warning']),
    reason: shortText,
    message: v.string(),
    regarding: v.strictObject({
      ...objectRef,
      apiVersion: shortText,
      uid: v.optional(shortText),
      resourceVersion: v.optional(v.string()),
    }),
  }),
]);

export const actionResult: v.GenericSchema<unknown, ActionResult> = v.variant('status', [
  v.object({
    id: base.id,
    status: v.literal('done'),
    kind: shortText,
    resourceVersion: v.optional(resourceVersion),
  }),
  v.object({ id: base.id, status: v.literal('conflict'), message: v.string() }),
  v.object({
    id: base.id,
    status: v.literal('failed'),
    code: v.pipe(v.number(), v.safeInteger()),
    reason: v.string(),
    message: v.string(),
  }),
  v.object({ id: base.id, status: v.literal('not-attempted') }),
]);
