import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { NON_ROOT_CONTEXT, ROOT_CONTEXT, userDirectories } from '../containers/security-contexts.ts';
import type { Container, VolumeMount } from '../pod-types.ts';
import { isDedicatedOrGuaranteed } from '../predicates/cpu.ts';
import { isNonRoot } from '../predicates/user.ts';
import { present, unlessBlank, unlessEmpty } from '../present.ts';
import type { Reasoned } from '../reason.ts';
import { supportResources } from '../resources/support-resources.ts';
import { HOOK_SOCKETS, NETWORK_INFO } from '../volumes/conditional-volumes.ts';
import type { HookSidecar } from './hook-sidecar.ts';

/** Sidecars have no resources of their own unless the cluster gives them some, or the pod must be Guaranteed. */
const GUARANTEED_LIMITS = { cpu: '200m', memory: '64M' };

/** launcher-pod.md 13.6 */
export function sidecarContainers(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  sidecars: readonly HookSidecar[],
): readonly Reasoned<Container>[] {
  const guaranteed = isDedicatedOrGuaranteed(vmi);
  const defaults = guaranteed ? { limits: GUARANTEED_LIMITS } : {};
  const support = supportResources(configuration, 'sidecar', defaults, guaranteed);
  return sidecars.map((sidecar, n) => {
    const name = `hook-sidecar-${n}`;
    const plugin = sidecar.plugin?.name;
    const origin =
      plugin === undefined ? 'the annotation that lists hook sidecars' : `network binding plugin ${plugin}`;
    const value = present({
      name,
      image: sidecar.image || unlessBlank(configuration.process.sidecarShimImage),
      imagePullPolicy: unlessBlank(sidecar.imagePullPolicy),
      command: unlessEmpty(sidecar.command ?? []),
      args: unlessEmpty(sidecar.args ?? []),
      env: [
        ...userDirectories(vmi),
        { name: 'CONTAINER_NAME', value: name },
        ...(plugin === undefined ? [] : [{ name: 'NETWORK_BINDING_PLUGIN_NAME', value: plugin }]),
      ],
      resources: support.resources,
      securityContext: isNonRoot(vmi) ? NON_ROOT_CONTEXT : ROOT_CONTEXT,
      terminationMessagePolicy: 'FallbackToLogsOnError',
      volumeMounts: mountsOf(sidecar, name),
    });
    return { value, because: [origin, support.because] };
  });
}

function mountsOf({ plugin, configMap, pvc }: HookSidecar, container: string): VolumeMount[] {
  const mounts: VolumeMount[] = [{ ...HOOK_SOCKETS, subPath: container }];
  if (plugin?.deviceInfo === true) mounts.push(NETWORK_INFO);
  if (configMap !== undefined) {
    const { name = '', key, hookPath = '' } = configMap;
    mounts.push(present({ name, mountPath: hookPath, subPath: unlessBlank(key) }));
  }
  if (pvc !== undefined) mounts.push({ name: pvc.name ?? '', mountPath: pvc.volumePath ?? '' });
  return mounts;
}
