/** TPL-03, pull request 10039 of KubeVirt: the virtiofs container took class Guaranteed from the pod. */
import { describe, expect, test } from 'vitest';
import type { Container } from '../../functions/launcher-pod/pod-types.ts';
import { claim, render, type Surroundings, vmi, withoutGates } from '../functions/launcher-pod/fixture.ts';

/** A VMI with every kind of helper container. */
const guaranteed = (domain: object) =>
  vmi({
    annotations: { 'hooks.kubevirt.io/hookSidecars': '[{"image":"hook"}]' },
    spec: {
      volumes: [
        { name: 'shared', persistentVolumeClaim: { claimName: 'shared' } },
        { name: 'boot', containerDisk: { image: 'boot' } },
      ],
    },
    domain: {
      devices: { filesystems: [{ name: 'shared', virtiofs: {} }], logSerialConsole: true },
      ...domain,
    },
  });

const equal = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } };
const vmis = {
  'requests equal limits': guaranteed({ resources: equal }),
  'dedicated CPUs': guaranteed({
    cpu: { cores: 2, dedicatedCpuPlacement: true },
    resources: { requests: { memory: '1Gi' } },
  }),
};

/** As the kubelet sees it: each container has both resources, and its requests are its limits. */
function hasClassGuaranteed({ resources }: Container): boolean {
  return ['cpu', 'memory'].every((resource) => {
    const limit = resources?.limits?.[resource];
    return limit !== undefined && resources?.requests?.[resource] === limit;
  });
}

describe.each(Object.entries(vmis))('TPL-03: %s', (_, instance) => {
  test.each<[string, Surroundings]>([
    ['image volumes', {}],
    ['container disks', withoutGates('ImageVolume')],
  ])('every container is of class Guaranteed, with %s', (__, around) => {
    const { spec } = render(instance, { ...around, related: { claims: [claim('shared')] } });
    const all = [...spec.containers, ...(spec.initContainers ?? [])];
    expect(all.map((c) => c.name)).toEqual(expect.arrayContaining(['compute', 'virtiofs-shared', 'hook-sidecar-0']));
    expect(all.filter((c) => !hasClassGuaranteed(c)).map((c) => c.name)).toEqual([]);
  });
});
