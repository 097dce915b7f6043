import { join } from 'node:path';

/** The control plane's files in a data folder. */
export interface Layout {
  readonly etcdData: string;
  readonly credentials: string;
  readonly kubeconfig: string;
  readonly logs: string;
}

export function layoutOf(dataDir: string): Layout {
  return {
    etcdData: join(dataDir, 'etcd'),
    credentials: join(dataDir, 'credentials'),
    kubeconfig: join(dataDir, 'kubeconfig'),
    logs: join(dataDir, 'logs'),
  };
}
