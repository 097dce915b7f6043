import { describe, expect, test } from 'vitest';
import { World } from './world.ts';

const EVICT = 'descheduler.alpha.kubernetes.io/evict';
const SKIP = 'kubevirt.io/skip-backup-hooks';

function patterns(world: World, labels: string[], annotations: string[]): void {
  const { configuration } = world.driver;
  const process = {
    ...configuration.process,
    additionalLauncherLabelsSync: labels,
    additionalLauncherAnnotationsSync: annotations,
  };
  world.driver.configuration = { ...configuration, process };
}

function template(
  world: World,
  metadata: { labels?: Record<string, string>; annotations?: Record<string, string> },
): void {
  world.changeVm((vm) => {
    vm.spec.template.metadata = metadata;
  });
  world.settle();
}

const annotations = (world: World) => world.instance.metadata.annotations ?? {};

describe('labels and annotations that follow the VM (vm.md 6.6)', () => {
  test("vm case 105: the template's annotation comes, changes and goes", () => {
    const world = World.withVm().started();
    for (const value of ['true', 'false', undefined]) {
      template(world, value === undefined ? {} : { annotations: { [EVICT]: value } });
      expect(annotations(world)[EVICT]).toBe(value);
    }
  });

  test('vm case 105: keys by a prefix follow; a bare asterisk is none; other keys stay', () => {
    const world = World.withVm();
    patterns(world, ['vendor.io/*', 'zone', ''], ['vendor.io/*', '*']);
    world.started();
    template(world, {
      labels: { 'vendor.io/a': '1', zone: 'z', other: 'x' },
      annotations: { 'vendor.io/a': '1', other: 'x' },
    });
    expect(world.instance.metadata.labels).toMatchObject({ 'vendor.io/a': '1', zone: 'z' });
    expect(world.instance.metadata.labels?.['other']).toBeUndefined();
    expect(annotations(world)).toMatchObject({ 'vendor.io/a': '1' });
    expect(annotations(world)['other']).toBeUndefined();
    template(world, {});
    expect(world.instance.metadata.labels).toEqual({ app: 'testvm' });
    expect(annotations(world)['vendor.io/a']).toBeUndefined();
  });

  test('the VM itself tells whether backup hooks are left out', () => {
    const world = World.withVm().started();
    world.changeVm((vm) => {
      vm.metadata.annotations = { ...vm.metadata.annotations, [SKIP]: 'true' };
    });
    world.settle();
    expect(annotations(world)[SKIP]).toBe('true');
  });

  test('VM and template change at once: one pair of operations, which holds', () => {
    const world = World.withVm().started();
    world.changeVm((vm) => {
      vm.metadata.annotations = { ...vm.metadata.annotations, [SKIP]: 'true' };
      vm.spec.template.metadata = { annotations: { [EVICT]: 'true' } };
    });
    const patch = world.pass().actions.find((a) => a.id === 'vmi-metadata');
    expect(patch).toMatchObject({ patch: { operations: [{ op: 'test' }, { op: 'replace' }] } });
    expect(annotations(world)).toMatchObject({ [SKIP]: 'true', [EVICT]: 'true' });
  });

  test('a patch that is refused: AnnotationsLabelsChangeError', () => {
    const world = World.withVm().started();
    world.refuse('vmi-metadata');
    world.changeVm((vm) => {
      vm.spec.template.metadata = { annotations: { [EVICT]: 'true' } };
    });
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'AnnotationsLabelsChangeError' });
    world.cluster.refuse.clear();
  });

  test('a VMI that is going is left alone', () => {
    const world = World.withVm().started();
    world.deleteInstance();
    template(world, { annotations: { [EVICT]: 'true' } });
    expect(annotations(world)[EVICT]).toBeUndefined();
  });
});

describe('PCI topology (vm.md 6.7)', () => {
  const VERSION = 'kubevirt.io/pci-topology-version';
  const SLOTS = 'kubevirt.io/pci-interface-slot-count';
  const given = { [VERSION]: 'v2', [SLOTS]: '11' };
  const kept = (world: World) => (world.vm.spec.template.metadata as { annotations?: object }).annotations;

  function told(annotated: Record<string, string>): World {
    const world = World.withVm().started();
    world.changeInstance((vmi) => {
      vmi.metadata.annotations = { ...vmi.metadata.annotations, ...annotated };
    });
    return world;
  }

  test('vm case 106: what the VMI was given is kept in the template, by a PUT', () => {
    const world = told(given);
    expect(world.pass().actions.map((a) => a.id)).toEqual(['edit']);
    expect(kept(world)).toEqual(given);
    world.settle();
    expect(world.condition('RestartRequired')).toBeUndefined();
  });

  test('vm case 106: a version without slots; one that is empty', () => {
    const alone = told({ [VERSION]: 'v3' });
    alone.settle();
    expect(kept(alone)).toEqual({ [VERSION]: 'v3' });
    const empty = told({ [VERSION]: '', [SLOTS]: '11' });
    empty.settle();
    expect(kept(empty)).toBeUndefined();
  });

  test('vm case 106: what the template says stays', () => {
    const world = World.withVm().started();
    template(world, { annotations: { [VERSION]: 'v3' } });
    world.changeInstance((vmi) => {
      vmi.metadata.annotations = { ...vmi.metadata.annotations, ...given };
    });
    world.settle();
    expect(kept(world)).toEqual({ [VERSION]: 'v3' });
  });
});
