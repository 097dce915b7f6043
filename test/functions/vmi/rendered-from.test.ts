import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { configuration, vmi } from './fixtures.ts';
import { worldOf } from './worlds.ts';

const HOOKS = 'hooks.kubevirt.io/hookSidecars';

function named(apiVersion: string, kind: string, name: string, annotations: Record<string, string> = {}): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: 'default', annotations } };
}
const configMap = (name: string) => named('v1', 'ConfigMap', name);

describe('ConfigMaps of hook sidecars (launcher-pod.md 13.6)', () => {
  const annotation = (name: string) => JSON.stringify([{ configMap: { name, key: 'script', hookPath: '/hook' } }]);
  const hooked = (extra: object = {}) =>
    vmi('', { metadata: { annotations: { [HOOKS]: annotation('cm') } }, ...extra });

  test('pod case 106: missing: condition, no event, retried; there: the pod', () => {
    const world = worldOf(hooked());
    expect(world.pass().type).toBe('retry');
    expect(world.conditions).toContain('Synchronized False FailedCreate');
    expect(world.status.phase).toBe('Pending');
    expect([world.events, world.pods]).toEqual([[], []]);
    world.put(configMap('other'));
    expect(world.pass().type).toBe('retry');

    world.put(configMap('cm'));
    world.settle();
    expect(world.pod.spec.containers.map((c) => c.name)).toEqual(['compute', 'hook-sidecar-0']);
    expect(world.pod.spec.volumes?.at(-1)).toEqual({ name: 'cm', configMap: { name: 'cm', defaultMode: 493 } });
    expect(world.conditions.filter((c) => c.startsWith('Synchronized'))).toEqual([]);
  });

  test('pod case 128: the VMI is stored with its probes completed, and the pod made later waits no second longer', () => {
    const readinessProbe = { exec: { command: ['cat', '/x'] }, timeoutSeconds: 3 };
    const world = worldOf(hooked({ spec: { domain: { devices: {} }, readinessProbe } }));
    world.pass();
    const stored = world.vmi.spec.readinessProbe;
    expect(stored).toMatchObject({ timeoutSeconds: 3, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
    expect(stored?.exec?.command?.[0]).toBe('virt-probe');
    world.put(configMap('cm'));
    world.settle();
    expect(world.pod.spec.containers[0]?.readinessProbe).toMatchObject({ timeoutSeconds: 3, exec: stored?.exec });
  });

  test('pod case 128: a failure before the probes leaves them as they were given', () => {
    const readinessProbe = { exec: { command: ['cat'] } };
    const volumes = [{ name: 's', sysprep: {} }];
    const world = worldOf(vmi('', { spec: { domain: { devices: {} }, readinessProbe, volumes } }));
    expect(world.pass().type).toBe('retry');
    expect(world.vmi.spec.readinessProbe).toEqual(readinessProbe);
    expect(world.conditions).toContain('Synchronized False FailedCreate');
  });

  test.each(['', 'no', '[{"configMap":1}]'])('an annotation that cannot be read, %j, hides no other reason', (text) => {
    const world = worldOf(vmi('', { metadata: { annotations: { [HOOKS]: text } } }));
    expect(world.pass()).toMatchObject({ type: 'retry', reason: expect.stringContaining('no list of sidecars') });
    expect(world.pods).toEqual([]);
  });
});

describe('network attachment definitions (launcher-pod.md 10.2, step 10)', () => {
  const networks = ['blue', 'other/green', 'blue'].map((networkName, i) => ({
    name: `n${i}`,
    multus: { networkName },
  }));
  const interfaces = networks.map(({ name }) => ({ name, bridge: {} }));
  const instance = vmi('', { spec: { networks, domain: { devices: { interfaces } } } });
  const definition = (name: string, namespace: string, resource?: string) => {
    const annotations: Record<string, string> =
      resource === undefined ? {} : { 'k8s.v1.cni.cncf.io/resourceName': resource };
    const object = named('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', name, annotations);
    return { ...object, metadata: { ...object.metadata, namespace } };
  };
  const withGateOff = () => {
    const world = worldOf(instance);
    const developerConfiguration = {
      ...configuration.kubevirt.developerConfiguration,
      disabledFeatureGates: ['ExternalNetResourceInjection'],
    };
    world.configuration = { ...configuration, kubevirt: { ...configuration.kubevirt, developerConfiguration } };
    return world;
  };

  test('pod case 76: gate off: one resource for each network; a definition elsewhere than in the VMI’s namespace', () => {
    const world = withGateOff();
    expect(world.pass().type).toBe('retry');
    expect(world.conditions).toContain('Synchronized False FailedCreate');
    expect([world.events, world.pods]).toEqual([[], []]);
    world.put(definition('blue', 'default', 'r.example/blue'));
    world.put(definition('green', 'default', 'r.example/wrong'));
    expect(world.pass().type).toBe('retry');

    world.put(definition('green', 'other'));
    world.settle();
    const { requests, limits } = world.pod.spec.containers[0]?.resources ?? {};
    expect([requests?.['r.example/blue'], limits?.['r.example/blue']]).toEqual(['2', '2']);
    expect(JSON.stringify(world.pod)).not.toContain('r.example/wrong');
  });

  test('pod case 76: gate on: whether they are there does not matter', () => {
    const world = worldOf(instance);
    world.put(definition('blue', 'default', 'r.example/blue'));
    world.settle();
    expect(world.pod.spec.containers[0]?.resources?.limits).not.toHaveProperty(['r.example/blue']);
  });
});
