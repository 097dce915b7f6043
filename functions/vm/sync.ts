import { importData } from './data-volumes/import-data.ts';
import { followDeletion } from './deletion.ts';
import { beginEdits, writeEdits } from './edit-copy.ts';
import { persistFirmwareUuid } from './firmware-uuid.ts';
import { bumpGeneration } from './generation.ts';
import { plugDeclaredVolumes } from './hotplug/declarative-volumes.ts';
import { followVolumeRequests } from './hotplug/follow-volume-requests.ts';
import { followMemoryDump } from './hotplug/memory-dump.ts';
import { syncMetadata } from './instance-metadata.ts';
import { followInstancetypes } from './instancetype/follow.ts';
import { liveUpdate } from './live-update/live-update.ts';
import { plugInterfaces } from './network/plug-interfaces.ts';
import type { Pass } from './pass.ts';
import { keepPciTopology } from './pci-topology.ts';
import { computeRestartRequired } from './restart-required.ts';
import { checkRunStrategy, followRunStrategy } from './run-strategy/follow.ts';
import { loadStartSpec } from './start-revision.ts';
import { next, type Step, toStatus } from './step.ts';
import { ensureFinalizer } from './vm-finalizer.ts';

/** The steps of vm.md chapter 4, by its numbers. */
const steps: readonly ((pass: Pass) => Step)[] = [
  waitForExpectations, // 1
  loadStartSpec, // 2
  followDeletion, // 3
  ensureFinalizer, // 4
  bumpGeneration, // 5
  checkRunStrategy, // 6
  followInstancetypes, // 7
  importData, // 8
  followRunStrategy, // 9
  computeRestartRequired, // 10
  waitForOwnWrites, // 11
  beginEdits, // 12
  plugInterfaces, // 13
  persistFirmwareUuid, // 14
  followVolumeRequests, // 15
  plugDeclaredVolumes, // 16
  followMemoryDump, // 17
  syncMetadata, // 18
  keepPciTopology, // 19
  liveUpdate, // 20
  writeEdits, // 21
];

export function sync(pass: Pass): Step {
  for (const step of steps) {
    const result = step(pass);
    if (result.type !== 'next') return result;
  }
  return toStatus;
}

function waitForExpectations(pass: Pass): Step {
  return pass.openExpectation === undefined ? next : toStatus;
}

/** After a start, a stop or a new data volume in this pass the rest waits until it is seen. */
function waitForOwnWrites(pass: Pass): Step {
  return pass.makesExpectation ? toStatus : next;
}
