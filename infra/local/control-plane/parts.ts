/** The programs of a development control plane and the versions they must have. */
export const partNames = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'] as const;

export type PartName = (typeof partNames)[number];

/** What is downloaded or built. A part that is found may have any patch version of the same line. */
export const kubernetesVersion = 'v1.36.3';
export const etcdVersion = 'v3.6.13';

/** How a part is run: a program of its own, or the multi-call binary with the part's name in front. */
export interface Command {
  readonly file: string;
  /** Arguments before all others. */
  readonly leading: readonly string[];
}

export type Parts = Readonly<Record<PartName, Command>>;

/** Name of the multi-call binary in the cache (module/main.go). */
export const multiCallName = 'control-plane';

export function isComplete(parts: Partial<Parts>): parts is Parts {
  return partNames.every((name) => parts[name]);
}

export function missingFrom(parts: Partial<Parts>): PartName[] {
  return partNames.filter((name) => !parts[name]);
}
