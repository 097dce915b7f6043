// The package's index pulls in every API class; credentials need this one file.
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';

/** From the named file, else from the pod's service account when there is one, else from KUBECONFIG or ~/.kube/config. */
export function loadKubeConfig(file: string | undefined): KubeConfig {
  const config = new KubeConfig();
  if (file !== undefined) config.loadFromFile(file);
  else config.loadFromDefault();
  return config;
}
