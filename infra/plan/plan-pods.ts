import { defaultProcessParameters } from '../../functions/core/configuration/defaults.ts';
import { BadInput } from './bad-input.ts';
import { clusterConfiguration } from './cluster.ts';
import { commentedYaml } from './commented-yaml.ts';
import { type Manifest, readManifests } from './manifest.ts';
import type { Options } from './options.ts';
import { type PlannedPod, plannedPod } from './planned-pod.ts';
import { isSurrounding } from './surroundings.ts';

export interface Plan {
  /** What there is to print: the pods of all manifests, or nothing where one of them is bad. */
  readonly text: string;
  /** One line each. */
  readonly errors: readonly string[];
}

/** Reads the files, renders a pod for each VM and VMI in them, and writes the pods down. */
export function planPods(options: Options): Plan {
  const errors: string[] = [];
  const pods = collected(() => {
    const kubevirt = options.configuration === undefined ? undefined : kubevirtIn(options.configuration);
    const { launcherImage = defaultProcessParameters.launcherImage } = options;
    const configuration = clusterConfiguration(kubevirt, { ...defaultProcessParameters, launcherImage });
    const files = options.files.flatMap(readManifests);
    const given = [...files, ...options.objects.flatMap(readManifests)].filter(isSurrounding);
    const planned = files.filter(({ kind }) => kind === 'VirtualMachine' || kind === 'VirtualMachineInstance');
    if (planned.length === 0)
      throw new BadInput(options.files.join(', '), 'no VirtualMachine or VirtualMachineInstance');
    return planned.flatMap((manifest) => collected(() => [plannedPod(manifest, configuration, given)]));
  });
  return { text: errors.length > 0 ? '' : written(pods, options.output), errors };

  function collected(work: () => readonly PlannedPod[]): readonly PlannedPod[] {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      errors.push(error.message);
      return [];
    }
  }
}

/** @throws BadInput */
function kubevirtIn(file: string): Manifest {
  const found = readManifests(file).find((m) => m.kind === 'KubeVirt');
  if (found === undefined) throw new BadInput(file, 'no KubeVirt object');
  return found;
}

function written(pods: readonly PlannedPod[], output: Options['output']): string {
  return output === 'json' ? `${JSON.stringify(pods, undefined, 2)}\n` : pods.map(commentedYaml).join('---\n');
}
