import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from './credentials.ts';
import type { Command } from './parts.ts';

/** Writes the kubeconfig of the one user. The certificate must be there: kube-apiserver makes it when it starts. */
export function writeKubeconfig(file: string, server: string, credentials: Credentials): void {
  const certificate = readFileSync(credentials.certificateFile).toString('base64');
  const text = `apiVersion: v1
kind: Config
clusters:
- name: virt-functions
  cluster:
    server: ${server}
    certificate-authority-data: ${certificate}
users:
- name: admin
  user:
    token: ${credentials.token}
contexts:
- name: virt-functions
  context:
    cluster: virt-functions
    user: admin
current-context: virt-functions
`;
  writeFileSync(file, text, { mode: 0o600 });
}

/**
 * Writes `<dataDir>/kubectl`, a script that runs the given kubectl on this cluster; returns its path. kubectl's own
 * cache stays in the data folder too.
 */
export function writeKubectlScript(dataDir: string, kubectl: Command, kubeconfig: string): string {
  const file = join(dataDir, 'kubectl');
  const command = [kubectl.file, ...kubectl.leading].map(quoted).join(' ');
  const text = `#!/bin/sh
export KUBECONFIG=${quoted(kubeconfig)} KUBECACHEDIR=${quoted(join(dataDir, 'kubectl-cache'))}
exec ${command} "$@"
`;
  writeFileSync(file, text, { mode: 0o700 });
  return file;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
