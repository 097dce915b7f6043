/** Stand-ins for the control plane's programs that only report a version. */
import { join } from 'node:path';
import { type PartName, partNames } from '../../../../infra/local/control-plane/parts.ts';
import { writeScript } from '../scratch.ts';

export const rightVersions: Readonly<Record<PartName, string>> = {
  etcd: '3.6.7',
  'kube-apiserver': 'v1.36.1',
  'kube-controller-manager': 'v1.36.1',
  'kube-scheduler': 'v1.36.1',
  kubectl: 'v1.36.1',
};

/** What the part prints for its version flag, in the words of the real one. */
export function versionText(name: PartName, version: string): string {
  if (name === 'etcd') return `etcd Version: ${version}\nGit SHA: abc\nGo Version: go1.26.1`;
  return name === 'kubectl' ? `Client Version: ${version}\nKustomize Version: v5.8.1` : `Kubernetes ${version}`;
}

/** The script of a program that prints its version for the part's version flag and for nothing else. */
export function partScript(name: PartName, version: string): string {
  const flag = name === 'kubectl' ? 'version --client' : '--version';
  return `[ "$*" = "${flag}" ] || exit 2\ncat <<'END'\n${versionText(name, version)}\nEND`;
}

/** Programs of their own, as in KUBEBUILDER_ASSETS. */
export function writeParts(folder: string, names: readonly PartName[] = partNames, versions = rightVersions): void {
  for (const name of names) writeScript(join(folder, name), partScript(name, versions[name]));
}

/** One program for all parts, as it is built. */
export function writeMultiCall(file: string, versions = rightVersions): void {
  const cases = partNames.map((name) => `${name})\nshift\n${partScript(name, versions[name])}\n;;`);
  writeScript(file, `case "$1" in\n${cases.join('\n')}\nesac`);
}
