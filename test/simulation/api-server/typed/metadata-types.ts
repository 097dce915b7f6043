import type { TypeTable } from './compile.ts';

export const metadataTypes: TypeTable = {
  ObjectMeta:
    'name:s generateName:s namespace:s uid:s resourceVersion:s generation:n creationTimestamp:t deletionTimestamp:t deletionGracePeriodSeconds:n? labels:{}s annotations:{}s ownerReferences:[]OwnerReference finalizers:[]s',
  OwnerReference: 'apiVersion:s! kind:s! name:s! uid:s! controller:b? blockOwnerDeletion:b?',
  LabelSelector: 'matchLabels:{}s matchExpressions:[]LabelSelectorRequirement',
  LabelSelectorRequirement: 'key:s! operator:s! values:[]s',
  LocalObjectReference: 'name:s',
  ObjectReference: 'kind:s namespace:s name:s uid:s apiVersion:s resourceVersion:s fieldPath:s',
  TypedLocalObjectReference: 'apiGroup:s? kind:s! name:s!',
  TypedObjectReference: 'apiGroup:s? kind:s! name:s! namespace:s?',
  Condition:
    'type:s! status:s! observedGeneration:n lastProbeTime:t lastHeartbeatTime:t lastTransitionTime:t! reason:s message:s',
};
