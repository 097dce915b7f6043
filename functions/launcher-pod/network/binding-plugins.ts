/** Network binding plugins: interfaces name them, the cluster's configuration registers them. */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { VmiInterface } from '../pod-types.ts';
import { RenderError } from '../render-error.ts';

type Plugins = NonNullable<NonNullable<ClusterConfiguration['kubevirt']['network']>['binding']>;
export type BindingPlugin = Plugins[string];

export function interfacesOf(vmi: VirtualMachineInstance): readonly VmiInterface[] {
  return vmi.spec.domain.devices?.interfaces ?? [];
}

export function registeredPlugin(configuration: ClusterConfiguration, name: string): BindingPlugin | undefined {
  const plugins: Plugins = configuration.kubevirt.network?.binding ?? {};
  return Object.hasOwn(plugins, name) ? plugins[name] : undefined;
}

/** @throws RenderError `unknown-binding-plugin` */
export function requiredPlugin(configuration: ClusterConfiguration, name: string): BindingPlugin {
  const plugin = registeredPlugin(configuration, name);
  if (plugin === undefined) throw new RenderError({ type: 'unknown-binding-plugin', plugin: name });
  return plugin;
}

/** Names of the plugins that interfaces use, absent interfaces included; each once. */
export function pluginNamesInUse(vmi: VirtualMachineInstance): readonly string[] {
  return [...new Set(interfacesOf(vmi).flatMap((i) => (i.binding === undefined ? [] : [i.binding.name])))];
}

/** Whether a plugin wants to know the devices behind its interfaces ("device-info binding", launcher-pod.md 4). */
export function wantsDeviceInfo(plugin: BindingPlugin | undefined): boolean {
  return plugin?.downwardAPI === 'device-info';
}
