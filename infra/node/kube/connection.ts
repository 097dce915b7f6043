import { readFileSync } from 'node:fs';

/** How to reach an API server, from the current context of a kubeconfig. */
export interface Connection {
  readonly server: URL;
  readonly certificateAuthority?: Buffer;
  readonly clientCertificate?: Buffer;
  readonly clientKey?: Buffer;
  readonly token?: string;
  readonly skipVerification: boolean;
}

/** Throws an error with the file's path when the file is missing or has no current context. */
export async function connectionFrom(kubeconfigPath: string): Promise<Connection> {
  // Loaded here only: the library is large, and tests that bring their own connection do without it.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigPath);
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error(`${kubeconfigPath}: no cluster in its current context`);
  const user = config.getCurrentUser();
  return {
    server: new URL(cluster.server),
    certificateAuthority: content(cluster.caData, cluster.caFile),
    clientCertificate: content(user?.certData, user?.certFile),
    clientKey: content(user?.keyData, user?.keyFile),
    token: user?.token,
    skipVerification: cluster.skipTLSVerify ?? false,
  };
}

function content(base64: string | undefined, path: string | undefined): Buffer | undefined {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  return path === undefined ? undefined : readFileSync(path);
}
