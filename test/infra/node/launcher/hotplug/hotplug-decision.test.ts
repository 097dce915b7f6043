import { describe, expect, test } from 'vitest';
import type { Pod, VirtualMachineInstance } from '../../../../../functions/core/objects.ts';
import { decideHotplug, type HotplugSituation } from '../../../../../infra/node/launcher/hotplug/hotplug-decision.ts';
import { attachmentPod, launcherPod, scheduledVmi } from '../objects.ts';

const launcher = launcherPod('vm', 'vmi-1');
const path = '/data/volumes/pvc-1/disk.img';
const disk = { path, target: 'sda', format: 'raw', device: 'disk', bus: 'scsi', readOnly: false } as const;
const plugged = { extra: { claim: { volume: 'pvc-1', path }, disk } };
const inGuest = [
  { target: 'vda', path: '/boot' },
  { target: 'sda', path },
];
const running = (pod: Pod): Pod => ({ ...pod, status: { ...pod.status, phase: 'Running' } });
const attachment = running(attachmentPod('vm', 'extra'));
const uid = attachment.metadata.uid;

/** A running VMI with a volume `extra` in that phase, in its spec or no longer. */
function vmi(phase: string | undefined, inSpec = true, attachPodUID: string | undefined = uid): VirtualMachineInstance {
  const it = scheduledVmi('vm', 'vmi-1');
  if (inSpec)
    it.spec.volumes?.push({ name: 'extra', persistentVolumeClaim: { claimName: 'extra', hotpluggable: true } });
  const entry = { name: 'extra', target: phase === 'Ready' ? 'sda' : '', phase, hotplugVolume: { attachPodUID } };
  return { ...it, status: { ...it.status, phase: 'Running', volumeStatus: [entry] } } as VirtualMachineInstance;
}
const steps = (parts: Partial<HotplugSituation>) =>
  decideHotplug({
    vmi: vmi('AttachedToNode'),
    launcher,
    attachments: [attachment],
    plugged: {},
    disks: [],
    ...parts,
  }).map((step) => (step.type === 'report' ? `${step.phase} ${step.target}`.trim() : step.type));

describe('a volume on its way in', () => {
  test.each<[string, Partial<HotplugSituation>, string[]]>([
    ['its pod runs', {}, ['MountedToPod']],
    ['mounted', { vmi: vmi('MountedToPod') }, ['plug-in']],
    ['mounted, plugged in', { vmi: vmi('MountedToPod'), plugged, disks: inGuest }, ['Ready sda']],
    ['ready', { vmi: vmi('Ready'), plugged, disks: inGuest }, []],
    ['ready under another name', { vmi: vmi('Ready'), plugged, disks: [{ target: 'sdb', path }] }, ['Ready sdb']],
    ['ready, and lost by its guest', { vmi: vmi('Ready'), plugged }, ['plug-in']],
    ['ready, its pod gone', { vmi: vmi('Ready'), plugged, disks: inGuest, attachments: [] }, []],
    [
      'back from the claim’s phase, and still in the guest',
      { vmi: vmi('Bound'), plugged, disks: inGuest },
      ['Ready sda'],
    ],
    ['its pod not named yet', { vmi: vmi('AttachedToNode', true, '') }, []],
    ['another pod is named', { vmi: vmi('AttachedToNode', true, 'other') }, []],
    ['its pod does not run yet', { attachments: [attachmentPod('vm', 'extra')] }, []],
    [
      'its pod is being deleted',
      { attachments: [{ ...attachment, metadata: { ...attachment.metadata, deletionTimestamp: 'now' } }] },
      [],
    ],
    [
      'its pod brings another claim',
      { attachments: [running({ ...attachmentPod('vm', 'other'), metadata: attachment.metadata })] },
      [],
    ],
    ['being detached', { vmi: vmi('Detaching') }, []],
    ['without an entry', { vmi: { ...vmi(''), status: { phase: 'Running' } } as VirtualMachineInstance }, []],
    [
      'that the launcher pod has is no hotplug volume',
      {
        launcher: {
          ...launcher,
          spec: { ...launcher.spec, volumes: [{ name: 'extra', persistentVolumeClaim: { claimName: 'extra' } }] },
        },
      },
      [],
    ],
  ])('%s', (_name, parts, expected) => {
    expect(steps(parts)).toEqual(expected);
  });
});

describe('a volume on its way out (HP-04)', () => {
  test.each<[string, Partial<HotplugSituation>, string[]]>([
    ['in the guest', { vmi: vmi('Ready', false), plugged, disks: inGuest }, ['plug-out']],
    [
      'in the guest, never said to be ready',
      { vmi: vmi('MountedToPod', false), plugged, disks: inGuest },
      ['plug-out'],
    ],
    ['out of the guest', { vmi: vmi('Ready', false), plugged }, ['forget', 'UnMountedFromPod']],
    ['never in the guest', { vmi: vmi('MountedToPod', false) }, ['UnMountedFromPod']],
    ['not mounted yet: the controller ends it', { vmi: vmi('AttachedToNode', false) }, []],
    ['unmounted', { vmi: vmi('UnMountedFromPod', false) }, []],
    ['being detached', { vmi: vmi('Detaching', false) }, []],
    ['its entry gone, in the guest', { vmi: scheduledVmi('vm', 'vmi-1'), plugged, disks: inGuest }, ['plug-out']],
  ])('%s', (_name, parts, expected) => {
    expect(steps(parts)).toEqual(expected);
  });
});
