import { describe, expect, test } from 'vitest';
import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import type { Container } from '../../../functions/launcher-pod/pod-types.ts';
import { qemuTimeoutSeconds } from '../../../functions/launcher-pod/qemu-timeout.ts';
import differencesWithoutImageVolume from './examples/a-containers-without-image-volume.json' with { type: 'json' };
import podA from './examples/a-pod.json' with { type: 'json' };
import vmiA from './examples/a-vmi.json' with { type: 'json' };
import podB from './examples/b-pod.json' with { type: 'json' };
import vmiB from './examples/b-vmi.json' with { type: 'json' };
import { claim, render, type Surroundings, withoutGates } from './fixture.ts';

/** Renders with an ordinal that draws the timeout of the example. */
function rendered(vmi: object, timeoutSeconds: number, around: Surroundings = {}) {
  const instance = vmi as VirtualMachineInstance;
  const uid = instance.metadata.uid ?? '';
  let ordinal = 0;
  while (qemuTimeoutSeconds(240, uid, ordinal) !== timeoutSeconds) ordinal++;
  return render(instance, { ...around, ordinal, process: { launcherImage: 'quay.io/kubevirt/virt-launcher:v1.9.0' } });
}

/** The example as the API would hand it out: without members that are not there. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('worked examples', () => {
  test('launcher-pod.md 21: container disk and cloud-init, all defaults', () => {
    expect(asJson(rendered(vmiA, 301))).toStrictEqual(podA);
  });

  test('launcher-pod.md 21.1: the same with gate ImageVolume disabled', () => {
    const expected = structuredClone(podA) as ReturnType<typeof render>;
    const [compute] = expected.spec.containers;
    const [consoleLog] = expected.spec.initContainers ?? [];
    if (compute === undefined || consoleLog === undefined) throw new Error('the example lacks containers');

    compute.args = compute.args?.filter((argument) => argument !== '--image-volume');
    const mounts = compute.volumeMounts?.filter((m) => m.name !== 'rootdisk') ?? [];
    const afterSockets = mounts.findIndex((m) => m.name === 'sockets') + 1;
    compute.volumeMounts = mounts.toSpliced(afterSockets, 0, {
      name: 'container-disks',
      mountPath: '/var/run/kubevirt/container-disks',
      mountPropagation: 'HostToContainer',
    });
    const volumes = expected.spec.volumes?.filter((v) => v.name !== 'rootdisk' && v.name !== 'launcher-volume') ?? [];
    const afterEphemeral = volumes.findIndex((v) => v.name === 'ephemeral-disks') + 1;
    expected.spec.volumes = volumes.toSpliced(afterEphemeral, 0, { name: 'container-disks', emptyDir: {} });
    const { initContainers, containers } = differencesWithoutImageVolume as {
      initContainers: Container[];
      containers: Partial<Container>[];
    };
    expected.spec.initContainers = [consoleLog, ...initContainers];
    // "as volumerootdisk-init, but" with name and arguments of its own
    expected.spec.containers = [compute, ...containers.map((c) => ({ name: '', ...initContainers.at(-1), ...c }))];

    expect(asJson(rendered(vmiA, 301, withoutGates('ImageVolume')))).toStrictEqual(asJson(expected));
  });

  test('launcher-pod.md 22: dedicated CPUs, huge pages, a block claim, a secondary network', () => {
    const root: PersistentVolumeClaim = claim('perf-root', { volumeMode: 'Block' }, { namespace: 'prod' });
    expect(asJson(rendered(vmiB, 240, { related: { claims: [root] } }))).toStrictEqual(podB);
  });
});
