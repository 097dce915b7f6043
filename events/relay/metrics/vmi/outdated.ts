import type { VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import type { ScrapedFamily } from '../scraped-family.ts';

const ABORTION_TEST = 'kubevirt.io/testWorkloadUpdateMigrationAbortion';

/**
 * `kubevirt_vmi_number_of_outdated` (runtime.md 12.1; evacuation.md 4.3 and 4.5): running VMIs that are to be updated, as they run an
 * older launcher or as a change of theirs waits for a migration. Told at each scrape, where the original tells what its last pass
 * found. `undefined`: this relay has nothing to tell.
 */
export function outdatedFamily(
  instances: () => readonly VirtualMachineInstance[] | undefined,
  launcherImage: () => string | undefined,
  nowMs: () => number,
): ScrapedFamily {
  return {
    name: 'kubevirt_vmi_number_of_outdated',
    help: 'Running VMIs that are to be updated.',
    type: 'gauge',
    samples: () => {
      const [all, image, now] = [instances(), launcherImage(), nowMs()];
      if (all === undefined || image === undefined) return [];
      return [{ labels: {}, value: all.filter((vmi) => isToBeUpdated(vmi, image, now)).length }];
    },
  };
}

function isToBeUpdated(vmi: VirtualMachineInstance, launcherImage: string, nowMs: number): boolean {
  if (vmi.status?.phase !== 'Running' || vmi.metadata.deletionTimestamp !== undefined) return false;
  const image = vmi.status.launcherContainerImageVersion ?? '';
  return (image !== '' && image !== launcherImage) || requiresMigration(vmi, nowMs);
}

function requiresMigration(vmi: VirtualMachineInstance, nowMs: number): boolean {
  if (isMigrating(vmi, nowMs) || vmi.metadata.annotations?.[ABORTION_TEST] !== undefined) return false;
  const statusOf = (type: string) => vmi.status?.conditions?.find((c) => c.type === type)?.status;
  return (
    statusOf('HotVCPUChange') !== undefined ||
    ['HotMemoryChange', 'MigrationRequired', 'VolumesChange'].some((type) => statusOf(type) === 'True')
  );
}

function isMigrating({ status }: VirtualMachineInstance, nowMs: number): boolean {
  const isPast = (time: string | undefined) => time !== undefined && Date.parse(time) <= nowMs;
  const { startTimestamp, endTimestamp } = status?.migrationState ?? {};
  return isPast(startTimestamp) && !isPast(endTimestamp);
}
