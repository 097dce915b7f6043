import { describe, expect, test } from 'vitest';
import { compute, render, vmi } from './fixture.ts';

const VELERO_TIMEOUT = 'pre.hook.backup.velero.io/timeout';

describe('metadata', () => {
  test('pod case 1: a minimal VMI', () => {
    const { metadata, spec } = render(vmi());
    expect(metadata.generateName).toBe('virt-launcher-v-');
    expect(metadata).not.toHaveProperty('name');
    expect(metadata).not.toHaveProperty('namespace');
    expect(metadata.ownerReferences).toEqual([
      {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        name: 'v',
        uid: '6d1c0e0e-2f0c-4b7e-9a55-0d9a4f3a1c11',
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(Object.keys(metadata.labels ?? {})).toHaveLength(4);
    expect(spec).toMatchObject({
      restartPolicy: 'Never',
      enableServiceLinks: false,
      readinessGates: [{ conditionType: 'kubevirt.io/virtual-machine-unpaused' }],
    });
  });

  test('pod case 2: labels of the VMI are kept, ours overwritten', () => {
    const { labels } = render(vmi({ labels: { a: '1', 'kubevirt.io': 'x', 'vm.kubevirt.io/name': 'zzz' } })).metadata;
    expect(labels).toMatchObject({ a: '1', 'kubevirt.io': 'virt-launcher', 'vm.kubevirt.io/name': 'v' });
  });

  test('pod case 3: long names are cut, nothing is trimmed after the cut', () => {
    const awkward = `${'a'.repeat(62)}-b`;
    const pod = render(vmi({ metadata: { name: awkward } }));
    expect(pod.spec.hostname).toBe(`${'a'.repeat(62)}-`);
    expect(pod.metadata.labels?.['vm.kubevirt.io/name']).toBe(pod.spec.hostname);

    const name = 'a-very-very-long-virtual-machine-instance-name-used-for-testing-this-logic';
    const long = render(vmi({ metadata: { name } }));
    expect(long.metadata.labels).toMatchObject({
      'vmi.kubevirt.io/id': 'a-very-very-long-virtual-machine-instance-name-used-fo-88ed080c',
      'vm.kubevirt.io/name': name.slice(0, 63),
    });
    expect(long.spec.hostname).toBe(name.slice(0, 63));
  });

  test('pod case 4: host name up to the first dot, or as the VMI says', () => {
    const dotted = render(vmi({ metadata: { name: 'web.prod' } }));
    expect(dotted.spec.hostname).toBe('web');
    const given = render(vmi({ metadata: { name: 'web.prod' }, spec: { hostname: 'h1' } }));
    expect(given.spec.hostname).toBe('h1');
    expect(given.metadata.labels).toMatchObject({ 'vm.kubevirt.io/name': 'h1', 'vmi.kubevirt.io/id': 'web.prod' });
  });

  test('pod case 5: annotations that are not copied', () => {
    const { annotations } = render(
      vmi({
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
          'kubectl.kubernetes.io/default-container': 'mine',
          'kubevirt.io/latest-observed-api-version': 'v1',
          'kubevirt.io/storage-observed-api-version': 'v1',
        },
      }),
    ).metadata;
    expect(annotations).not.toHaveProperty(['kubectl.kubernetes.io/last-applied-configuration']);
    expect(annotations).not.toHaveProperty(['kubevirt.io/latest-observed-api-version']);
    expect(annotations).not.toHaveProperty(['kubevirt.io/storage-observed-api-version']);
    expect(annotations?.['kubectl.kubernetes.io/default-container']).toBe('compute');
  });

  test('pod case 6: the domain annotation and those of others are copied', () => {
    const evictable = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
    const { annotations } = render(
      vmi({ annotations: { 'kubevirt.io/domain': 'fedora', [evictable]: 'true' } }),
    ).metadata;
    expect(annotations).toMatchObject({ 'kubevirt.io/domain': 'fedora', [evictable]: 'true' });
  });

  test('pod case 7: backup hooks are generated unless the VMI skips them', () => {
    const annotationsWith = (skip?: string) => {
      const skipping: Record<string, string> = skip === undefined ? {} : { 'kubevirt.io/skip-backup-hooks': skip };
      return render(vmi({ annotations: { [VELERO_TIMEOUT]: '5s', ...skipping } })).metadata.annotations;
    };
    expect(annotationsWith()?.[VELERO_TIMEOUT]).toBe('60s');
    expect(annotationsWith('yes')?.[VELERO_TIMEOUT]).toBe('60s');
    expect(annotationsWith('T')?.[VELERO_TIMEOUT]).toBe('5s');
    expect(annotationsWith('T')).not.toHaveProperty(['pre.hook.backup.velero.io/command']);
  });

  test("pod case 8: the KubeVirt object's annotation does not skip backup hooks at creation", () => {
    // Rendering takes the VMI's annotation alone; the VMI controller's annotation sync looks at the other.
    expect(render(vmi()).metadata.annotations?.[VELERO_TIMEOUT]).toBe('60s');
  });

  test('pod case 9: Istio injection', () => {
    const inject = 'sidecar.istio.io/inject';
    const on = render(vmi({ annotations: { [inject]: 'TRUE' } }));
    expect(on.metadata.labels?.[inject]).toBe('TRUE');
    expect(on.spec.automountServiceAccountToken).toBe(true);
    const off = render(vmi({ annotations: { [inject]: 'false' } }));
    expect(off.metadata.labels?.[inject]).toBe('false');
    expect(off.spec.automountServiceAccountToken).toBe(false);
  });

  test('pod case 10: a temporary pod', () => {
    const pod = render(vmi(), { variant: 'without-vm' });
    expect(pod.metadata.annotations?.['kubevirt.io/ephemeral-provisioning']).toBe('true');
    expect(pod.spec.containers[0]).toMatchObject({ command: ['/bin/bash'], args: ['-c', 'echo', 'bound PVCs'] });
    const emulated = compute(vmi(), {
      variant: 'without-vm',
      configuration: { developerConfiguration: { useEmulation: true } },
    });
    expect(emulated.args).toEqual(['-c', 'echo', 'bound PVCs', '--allow-emulation']);
  });
});
