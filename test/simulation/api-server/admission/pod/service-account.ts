import type { Cluster } from '../../cluster.ts';
import { at, type Obj, objsAt, textAt } from '../../json/value.ts';
import { type ApiObject, nameIn } from '../../objects.ts';
import { forbidden } from '../../refusals.ts';
import { keyOf } from '../../resources/resource.ts';
import { serviceAccounts } from '../../strategies/core.ts';
import { allContainersOf } from '../../strategies/pod/containers.ts';
import { pods } from '../../strategies/pod/strategy.ts';
import { generatedName } from '../../writing/generated-name.ts';

const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN_SECONDS = 3607;

/** A pod runs as a service account that is there, and sees its token unless one of the two says no. */
export function serviceAccount(cluster: Cluster, pod: ApiObject): void {
  const spec = pod.spec ?? {};
  const { namespace = '' } = pod.metadata;
  const name = textAt(spec, 'serviceAccountName') ?? 'default';
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
  const account = cluster.store.get(serviceAccounts, keyOf(namespace, name));
  if (account === undefined) {
    const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
    throw forbidden(pods, nameIn(pod), why);
  }
  const secrets = objsAt(account, 'imagePullSecrets');
  if (secrets.length > 0 && spec.imagePullSecrets === undefined) spec.imagePullSecrets = [...secrets];
  const mounts = at(spec, 'automountServiceAccountToken') ?? at(account, 'automountServiceAccountToken') ?? true;
  if (mounts === true) mountToken(cluster, pod, spec);
}

function mountToken(cluster: Cluster, pod: ApiObject, spec: Obj): void {
  const containers = allContainersOf(pod).filter(
    (c) => !objsAt(c, 'volumeMounts').some((m) => textAt(m, 'mountPath') === MOUNT_PATH),
  );
  if (containers.length === 0) return;
  const name = generatedName('kube-api-access-', cluster.ports.random);
  for (const c of containers)
    c.volumeMounts = [...objsAt(c, 'volumeMounts'), { name, readOnly: true, mountPath: MOUNT_PATH }];
  spec.volumes = [...objsAt(spec, 'volumes'), tokenVolume(name)];
}

function tokenVolume(name: string): Obj {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 420,
    },
  };
}
