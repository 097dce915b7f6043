import type { TypeTable } from './compile.ts';

/** Built-in kinds of the named groups. */
export const groupTypes: TypeTable = {
  ControllerRevision: 'apiVersion:s kind:s metadata:ObjectMeta! data:x revision:n!',
  DaemonSet: 'apiVersion:s kind:s metadata:ObjectMeta! spec:x status:DaemonSetStatus!',
  DaemonSetStatus:
    'currentNumberScheduled:n! numberMisscheduled:n! desiredNumberScheduled:n! numberReady:n! observedGeneration:n updatedNumberScheduled:n numberAvailable:n numberUnavailable:n collisionCount:n? conditions:[]Condition',
  PodDisruptionBudget:
    'apiVersion:s kind:s metadata:ObjectMeta! spec:PodDisruptionBudgetSpec! status:PodDisruptionBudgetStatus!',
  PodDisruptionBudgetSpec: 'minAvailable:x selector:LabelSelector maxUnavailable:x unhealthyPodEvictionPolicy:s?',
  PodDisruptionBudgetStatus:
    'observedGeneration:n disruptedPods:{}t disruptionsAllowed:n! currentHealthy:n! desiredHealthy:n! expectedPods:n! conditions:[]MetaCondition',
  MetaCondition: 'type:s! status:s! observedGeneration:n lastTransitionTime:t! reason:s! message:s!',
  StorageClass:
    'apiVersion:s kind:s metadata:ObjectMeta! provisioner:s! parameters:{}s reclaimPolicy:s? mountOptions:[]s allowVolumeExpansion:b? volumeBindingMode:s? allowedTopologies:x',
  Lease: 'apiVersion:s kind:s metadata:ObjectMeta! spec:LeaseSpec!',
  LeaseSpec:
    'holderIdentity:s? leaseDurationSeconds:n? acquireTime:u renewTime:u leaseTransitions:n? strategy:s? preferredHolder:s?',
  RuntimeClass: 'apiVersion:s kind:s metadata:ObjectMeta! handler:s! overhead:Overhead scheduling:x',
  Overhead: 'podFixed:{}q',
  PriorityClass: 'apiVersion:s kind:s metadata:ObjectMeta! value:n! globalDefault:b description:s preemptionPolicy:s?',
  CustomResourceDefinition: 'apiVersion:s kind:s metadata:ObjectMeta! spec:x status:x',
};
