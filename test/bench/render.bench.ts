/**
 * `node test/bench/render.bench.ts [SECONDS]`: launcher pods rendered per second of one core, of the two worked
 * examples of launcher-pod.md (21 and 22).
 */
import { readFileSync } from 'node:fs';
import { defaultConfiguration, defaultProcessParameters } from '../../functions/core/configuration/defaults.ts';
import type { VirtualMachineInstance } from '../../functions/core/objects.ts';
import type { LauncherPodInput } from '../../functions/launcher-pod/input.ts';
import { renderLauncherPod } from '../../functions/launcher-pod/render-launcher-pod.ts';

const WARM_UP_SECONDS = 1;
const seconds = Number(process.argv[2] ?? '5');

const disk = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'perf-root', namespace: 'prod', uid: 'disk' },
  spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Block' },
};

for (const [name, file] of [
  ['container disk, cloud-init', 'a-vmi.json'],
  ['dedicated CPUs, huge pages, claim, two networks', 'b-vmi.json'],
] as const) {
  const input = inputOf(file);
  rendersPerSecond(input, WARM_UP_SECONDS);
  const rate = rendersPerSecond(input, seconds);
  process.stdout.write(`${name}: ${Math.round(rate)} pods/s, ${((1 / rate) * 1e6).toFixed(0)} us each\n`);
}

function inputOf(file: string): LauncherPodInput {
  const url = new URL(`../functions/launcher-pod/examples/${file}`, import.meta.url);
  return {
    vmi: JSON.parse(readFileSync(url, 'utf8')) as VirtualMachineInstance,
    configuration: defaultConfiguration('kubevirt', defaultProcessParameters),
    related: { claims: [disk], quotas: [], networkAttachments: [], sidecarConfigMaps: [] },
    variant: 'launch',
    ordinal: 0,
  };
}

/** Of processor time, so that what else the machine does counts little. */
function rendersPerSecond(input: LauncherPodInput, during: number): number {
  const before = process.cpuUsage();
  for (let count = 1; ; count++) {
    const result = renderLauncherPod({ ...input, ordinal: count });
    if (result.type === 'error') throw new Error(result.message);
    if (count % 100 !== 0) continue;
    const { user, system } = process.cpuUsage(before);
    const seconds = (user + system) / 1e6;
    if (seconds >= during) return count / seconds;
  }
}
