/** Hook sidecars: containers that may change the domain before it starts (launcher-pod.md 13.6). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { pluginNamesInUse, requiredPlugin, wantsDeviceInfo } from '../network/binding-plugins.ts';
import { present, unlessBlank } from '../present.ts';
import { parseSidecars } from './parse-sidecars.ts';

const SIDECARS_ANNOTATION = 'hooks.kubevirt.io/hookSidecars';

export interface HookSidecar {
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly configMap?: { readonly name?: string; readonly key?: string; readonly hookPath?: string };
  readonly pvc?: { readonly name?: string; readonly volumePath?: string; readonly sharedComputePath?: string };
  /** Set where the sidecar serves a network binding plugin instead of standing in the annotation. */
  readonly plugin?: { readonly name: string; readonly deviceInfo: boolean };
}

/**
 * The sidecars that the VMI's annotation lists.
 *
 * @throws RenderError `bad-sidecars`
 */
export function annotatedSidecars(vmi: VirtualMachineInstance): readonly HookSidecar[] {
  const annotation = vmi.metadata.annotations?.[SIDECARS_ANNOTATION];
  return annotation === undefined ? [] : parseSidecars(annotation);
}

/**
 * The annotation's sidecars, then one per binding plugin that interfaces use and that has an image.
 *
 * @throws RenderError `bad-sidecars`, `unknown-binding-plugin`
 */
export function hookSidecars(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): readonly HookSidecar[] {
  const listed = annotatedSidecars(vmi);
  const plugins = pluginNamesInUse(vmi).flatMap((name): HookSidecar[] => {
    const plugin = requiredPlugin(configuration, name);
    const image = unlessBlank(plugin.sidecarImage);
    if (image === undefined) return [];
    const { imagePullPolicy } = configuration.kubevirt;
    return [present({ image, imagePullPolicy, plugin: { name, deviceInfo: wantsDeviceInfo(plugin) } })];
  });
  return [...listed, ...plugins];
}
