import { type MemberPath, pathText } from '../core/written-form/misfit.ts';

/** Why a pod cannot be rendered (launcher-pod.md 2.1), with the evidence. */
export type RenderProblem =
  /** No VMI that the API server's schema lets pass. */
  | { readonly type: 'malformed'; readonly path: MemberPath; readonly expected: string }
  /** Callers treat this one apart: no requeue is asked for, the claim's arrival brings the key back (2.2). */
  | { readonly type: 'pvc-not-found'; readonly claimName: string }
  | { readonly type: 'backend-storage-not-found' }
  | { readonly type: 'network-attachment-not-found'; readonly key: string }
  | { readonly type: 'device-not-permitted'; readonly devices: readonly string[] }
  | { readonly type: 'bad-sidecars'; readonly detail: string }
  | { readonly type: 'unknown-binding-plugin'; readonly plugin: string }
  | { readonly type: 'sysprep-without-source'; readonly volume: string }
  | { readonly type: 'bad-log-verbosity'; readonly label: string }
  | { readonly type: 'sidecar-config-map-not-found'; readonly name: string }
  /** Of a migration's source (16.1). */
  | { readonly type: 'image-digest-unknown'; readonly container: string; readonly imageId: string }
  /** The node that a VM migrates from is not there to be asked for its labels (16.4). */
  | { readonly type: 'source-node-not-found' }
  | { readonly type: 'host-model-unknown' }
  /** The node agent has not said yet under which SELinux context the VM runs (16.4, 17). */
  | { readonly type: 'selinux-context-unknown' }
  | { readonly type: 'bad-selinux-context'; readonly context: string };

/** Thrown inside rendering only; its entries turn it into a result. */
export class RenderError extends Error {
  readonly problem: RenderProblem;

  constructor(problem: RenderProblem) {
    super(messageOf(problem));
    this.problem = problem;
  }
}

function messageOf(problem: RenderProblem): string {
  switch (problem.type) {
    case 'malformed':
      return `${pathText(problem.path)} is not ${problem.expected}`;
    case 'pvc-not-found':
      return `persistent volume claim ${problem.claimName} not found`;
    case 'backend-storage-not-found':
      return 'the claim that holds the state of the VMI was not found';
    case 'network-attachment-not-found':
      return `network attachment definition ${problem.key} not found`;
    case 'device-not-permitted':
      return `devices not permitted in this cluster: ${problem.devices.map((d) => JSON.stringify(d)).join(', ')}`;
    case 'bad-sidecars':
      return `the annotation that lists hook sidecars is no list of sidecars: ${problem.detail}`;
    case 'unknown-binding-plugin':
      return `network binding plugin ${problem.plugin} is not registered`;
    case 'sysprep-without-source':
      return `sysprep volume ${problem.volume} names neither a secret nor a config map`;
    case 'bad-log-verbosity':
      return `label logVerbosity is no integer: ${problem.label}`;
    case 'sidecar-config-map-not-found':
      return `config map ${problem.name} of a hook sidecar not found`;
    case 'image-digest-unknown':
      return `the image of container ${problem.container} has no digest: ${JSON.stringify(problem.imageId)}`;
    case 'source-node-not-found':
      return 'the node that the VM migrates from was not found';
    case 'host-model-unknown':
      return 'the node that the VM migrates from does not say what its host model is';
    case 'selinux-context-unknown':
      return 'the SELinux context of the VM is not known';
    case 'bad-selinux-context':
      return `the SELinux context of the VM has too few parts: ${JSON.stringify(problem.context)}`;
  }
}
