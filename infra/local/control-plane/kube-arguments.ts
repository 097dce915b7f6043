/** Command lines of the Kubernetes parts. Everything listens on the loopback address only. */
import { join } from 'node:path';
import type { Credentials } from './credentials.ts';

const serviceAccountIssuer = 'https://kubernetes.default.svc.cluster.local';

export function apiServerArguments(credentials: Credentials, etcdSocket: string, port: number): string[] {
  return [
    `--etcd-servers=unix://${etcdSocket}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--cert-dir=${credentials.folder}`,
    `--token-auth-file=${credentials.tokenFile}`,
    '--authorization-mode=RBAC',
    '--allow-privileged=true',
    '--service-cluster-ip-range=10.96.0.0/16',
    `--service-account-issuer=${serviceAccountIssuer}`,
    `--service-account-key-file=${credentials.serviceAccountPublicKeyFile}`,
    `--service-account-signing-key-file=${credentials.serviceAccountKeyFile}`,
    '--profiling=false',
  ];
}

export function controllerManagerArguments(credentials: Credentials, kubeconfig: string, port: number): string[] {
  return [
    ...clientArguments(kubeconfig, port),
    `--service-account-private-key-file=${credentials.serviceAccountKeyFile}`,
    `--root-ca-file=${credentials.certificateFile}`,
    '--use-service-account-credentials=true',
    // It creates this folder, by default a system one.
    `--flex-volume-plugin-dir=${join(credentials.folder, 'flex-volume-plugins')}`,
    // A namespace is usable once its service account is there; the defaults of 20 and 30 make bursts of them wait.
    '--kube-api-qps=200',
    '--kube-api-burst=400',
  ];
}

/** kube-scheduler's whole command line, and what kube-controller-manager has in common with it. */
export function clientArguments(kubeconfig: string, port: number): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    // Nobody but the health probe talks to it, and health needs no permission.
    '--authentication-skip-lookup=true',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--leader-elect=false',
    '--profiling=false',
  ];
}
