import type { ClusterConfiguration, ProcessParameters } from '../../functions/core/configuration/configuration.ts';
import { defaultConfiguration, defaultKubeVirtConfiguration } from '../../functions/core/configuration/defaults.ts';
import { MisfitError, overlay } from '../../functions/core/configuration/overlay.ts';
import { resolveConfiguration } from '../../functions/core/configuration/resolve.ts';
import { violations } from '../../functions/core/configuration/validate.ts';
import type { KubeVirt } from '../../functions/core/objects.ts';
import type { MemberPath } from '../../functions/core/written-form/misfit.ts';
import type { Json, Manifest } from './manifest.ts';

const NAMESPACE = 'kubevirt';
const CONFIGURATION = ['spec', 'configuration'];

/**
 * The configuration that a KubeVirt object gives a cluster; the defaults without one (launcher-pod.md 3).
 *
 * @throws BadInput where virt-controller would not take it over
 */
export function clusterConfiguration(manifest: Manifest | undefined, process: ProcessParameters): ClusterConfiguration {
  if (manifest === undefined) return defaultConfiguration(NAMESPACE, process);
  const { metadata, spec, status } = manifest.object as unknown as KubeVirt;
  const given = (spec?.configuration ?? {}) as Json;
  checkConfiguration(manifest, given);
  const kubevirt: KubeVirt = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { ...metadata, name: 'kubevirt', namespace: NAMESPACE, resourceVersion: '1' },
    spec: { configuration: given },
    status: { ...status, phase: 'Deployed' },
  };
  return resolveConfiguration(undefined, [kubevirt], NAMESPACE, process);
}

function checkConfiguration({ bad }: Manifest, given: Json): void {
  const fraction = fractionIn(given, []);
  if (fraction !== undefined) throw bad([...CONFIGURATION, ...fraction], 'is not a whole number');
  try {
    const [violation] = violations(overlay({ ...defaultKubeVirtConfiguration }, given));
    if (violation !== undefined) throw bad(CONFIGURATION, `is refused: ${violation}`);
  } catch (error) {
    if (!(error instanceof MisfitError)) throw error;
    throw bad([...CONFIGURATION, ...error.path.split('.')], 'does not fit its type');
  }
}

/** The configuration has whole numbers only. */
function fractionIn(value: unknown, path: MemberPath): MemberPath | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, held] of Object.entries(value)) {
    const found = fractionIn(held, [...path, Array.isArray(value) ? Number(name) : name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
