/** How `spec.configuration` of the KubeVirt object lies over the defaults (runtime.md 8.2, step 2). */
import { parseQuantity } from '../quantity/parse.ts';

/** Members that can be null: an explicit zero value overrides. Everything below `migrations` is one, too. */
const NULLABLE = new Set([
  'additionalGuestMemoryOverheadRatio',
  'cpuRequest',
  'evictionStrategy',
  'vmRolloutStrategy',
  'memBalloonStatsPeriod',
  'virtualMachineInstancesPerNode',
  'developerConfiguration.diskVerification.memoryLimit',
  'developerConfiguration.minimumClusterTSCFrequency',
  'instancetype.referencePolicy',
  'liveUpdateConfiguration.maxCpuSockets',
  'liveUpdateConfiguration.maxGuest',
  'network.permitBridgeInterfaceOnPodNetwork',
  'network.permitSlirpInterface',
  'virtTemplateDeployment.enabled',
]);
/** Maps of plain values: every key that is there overrides, whatever its value. */
const MAPS = new Set([
  'developerConfiguration.nodeSelectors',
  'developerConfiguration.logVerbosity.nodeVerbosity',
  'obsoleteCPUModels',
]);
const QUANTITIES = new Set([
  'cpuRequest',
  'developerConfiguration.diskVerification.memoryLimit',
  'liveUpdateConfiguration.maxGuest',
  'migrations.bandwidthPerMigration',
]);

type Json = Readonly<Record<string, unknown>>;

/** Thrown where a member's JSON does not fit its type. */
export class MisfitError extends Error {
  readonly path: string;
  constructor(path: string) {
    super(`spec.configuration.${path} does not fit its type`);
    this.path = path;
  }
}

/** Objects merge member by member, lists and scalars replace; what is absent or counts as absent leaves the base. */
export function overlay(base: Json, over: Json, parents: readonly string[] = []): Json {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const path = [...parents, key];
    const dotted = path.join('.');
    const present = base[key];
    if (value === null || value === undefined) continue;
    if (!fits(present, value, dotted)) throw new MisfitError(dotted);
    if (MAPS.has(dotted)) merged[key] = { ...asObject(present), ...asObject(value) };
    else if (isObject(value)) merged[key] = overlay(asObject(present), value, path);
    else if (!isZero(value) || path[0] === 'migrations' || NULLABLE.has(dotted)) merged[key] = value;
  }
  return merged;
}

function fits(base: unknown, value: unknown, dotted: string): boolean {
  if (QUANTITIES.has(dotted)) {
    return (typeof value === 'string' || typeof value === 'number') && parseQuantity(value) !== undefined;
  }
  return base === undefined || (typeof base === typeof value && Array.isArray(base) === Array.isArray(value));
}

function isZero(value: unknown): boolean {
  return value === 0 || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}
