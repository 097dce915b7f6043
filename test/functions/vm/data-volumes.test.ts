import { describe, expect, test } from 'vitest';
import { DataVolume } from '../../../functions/core/kinds.ts';
import type * as objects from '../../../functions/core/objects.ts';
import {
  cdi,
  createClaim,
  createDataVolume,
  createNamespace,
  dataVolumeTemplate,
  dataVolumeVolume,
  fill,
} from './storage.ts';
import { NAMESPACE, World } from './world.ts';

type Template = Parameters<typeof withTemplates>[0][number];

function withTemplates(
  templates: NonNullable<objects.VirtualMachine['spec']['dataVolumeTemplates']>,
  runStrategy = 'Always',
  metadata: Partial<objects.ObjectMeta> = {},
  spec: object = {},
): World {
  const volumes = templates.map((t) => dataVolumeVolume((t.metadata as { name: string }).name));
  const world = World.withVm({ runStrategy, dataVolumeTemplates: templates }, { volumes, ...spec }, metadata);
  createNamespace(world, NAMESPACE);
  return world;
}

const dataVolume = (world: World, name: string) => world.cluster.get(DataVolume, name, NAMESPACE);
const names = (world: World) => world.cluster.cached('DataVolume').map((d) => d.metadata.name);

describe('data volume templates (vm.md 8)', () => {
  test('vm case 57: two templates: two creations with owner, label and annotation; no VMI', () => {
    const templates = [dataVolumeTemplate('one', {}, { mine: 'yes' }), dataVolumeTemplate('two')];
    const world = withTemplates(templates, 'Always', {}, { priorityClassName: 'high' });
    world.settle();
    expect(names(world)).toEqual(['one', 'two']);
    expect(dataVolume(world, 'one')).toMatchObject({
      metadata: {
        labels: { 'kubevirt.io/created-by': world.vm.metadata.uid },
        annotations: { mine: 'yes', 'cdi.kubevirt.io/allowClaimAdoption': 'true' },
        ownerReferences: [world.reference()],
      },
      spec: { priorityClassName: 'high' },
    });
    expect(world.maybeInstance).toBeUndefined();
    expect(world.eventReasons).toEqual(['SuccessfulDataVolumeCreate', 'SuccessfulDataVolumeCreate']);
    expect(world.status.printableStatus).toBe('Provisioning');
    for (const name of ['one', 'two']) fill(world, name, 'Succeeded');
    world.settle();
    expect(world.maybeInstance).toBeDefined();
    expect(world.status.printableStatus).toBe('Starting');
  });

  test('vm case 57: until the creations are seen, sync does nothing', () => {
    const world = withTemplates([dataVolumeTemplate('one')]);
    world.cluster.holdWatch('DataVolume', 'blind');
    world.pass();
    expect(world.pass()).toMatchObject({ type: 'stale' });
    expect(world.pass().actions).toEqual([]);
    world.cluster.releaseWatch('DataVolume');
  });

  const immediate = 'kubevirt.io/immediate-data-volume-creation';
  test.each([
    { runStrategy: 'Halted', value: undefined, made: true },
    { runStrategy: 'Halted', value: 'true', made: true },
    { runStrategy: 'Halted', value: 'false', made: false },
    { runStrategy: 'Always', value: 'false', made: true },
  ])('vm case 58: $runStrategy, immediate creation $value: made $made', ({ runStrategy, value, made }) => {
    const world = withTemplates([dataVolumeTemplate('one')], runStrategy);
    if (value !== undefined) {
      world.changeVm((vm) => {
        vm.metadata.annotations = { ...vm.metadata.annotations, [immediate]: value };
      });
    }
    world.settle();
    expect(names(world)).toEqual(made ? ['one'] : []);
    expect(world.maybeInstance).toBeUndefined();
  });

  test.each([
    ['WaitForFirstConsumer', true, 'Starting'],
    ['PendingPopulation', true, 'Starting'],
    ['Succeeded', true, 'Starting'],
    ['ImportInProgress', false, 'Provisioning'],
    ['Unknown', false, 'Provisioning'],
  ])('vm case 59: a data volume that is %s: VMI %s, %s', (phase, made, printable) => {
    const world = withTemplates([dataVolumeTemplate('one')]);
    world.settle();
    fill(world, 'one', phase);
    world.settle();
    expect(world.maybeInstance !== undefined).toBe(made);
    expect(world.status.printableStatus).toBe(printable);
    expect(world.condition('Failure')).toBeUndefined();
  });

  test('vm case 60: a failed data volume is told of, and left', () => {
    const world = withTemplates([dataVolumeTemplate('one')]);
    world.settle();
    fill(world, 'one', 'Failed');
    expect(world.settle().type).toBe('done');
    expect(world.eventReasons).toContain('FailedDataVolumeImport');
    expect(world.condition('Failure')).toBeUndefined();
    expect(world.status.printableStatus).toBe('DataVolumeError');
    expect(names(world)).toEqual(['one']);
  });

  test.each([['Error'], ['ImagePullFailed']])('one whose import fails with %s: DataVolumeError', (reason) => {
    const world = withTemplates([dataVolumeTemplate('one')]);
    world.settle();
    fill(world, 'one', 'ImportInProgress', [{ type: 'Running', status: 'False', reason }]);
    world.settle();
    expect(world.status.printableStatus).toBe('DataVolumeError');
  });

  test('vm case 61: over quota: event, Failure, Provisioning', () => {
    const world = withTemplates([dataVolumeTemplate('one')]);
    world.settle();
    fill(world, 'one', 'Pending', [{ type: 'Bound', status: 'Unknown', reason: 'ErrExceededQuota' }]);
    expect(world.settle().type).toBe('retry');
    expect(world.eventReasons).toContain('FailedDataVolumeImport');
    expect(world.condition('Failure')).toMatchObject({ status: 'True', reason: 'FailedCreate' });
    expect(world.status.printableStatus).toBe('Provisioning');
  });

  test('vm case 62: the claim is there and an older CDI refuses for it: no event, no error, not ready', () => {
    const world = withTemplates([dataVolumeTemplate('one'), dataVolumeTemplate('two')]);
    createClaim(world, 'one');
    world.refuse('create-data-volume one', 422, 'Invalid', 'PVC one already exists');
    world.pass();
    expect(world.pass().type).not.toBe('retry');
    expect(names(world)).toEqual(['two']);
    expect(world.eventReasons).toEqual(['SuccessfulDataVolumeCreate']);
    expect(world.condition('Failure')).toBeUndefined();
    expect(world.maybeInstance).toBeUndefined();
  });

  test('vm case 62: any other refusal: event and Failure; the templates behind it wait', () => {
    const world = withTemplates([dataVolumeTemplate('one'), dataVolumeTemplate('two')]);
    world.refuse('create-data-volume one', 404, 'NotFound', 'no CDI');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.eventReasons).toEqual(['FailedDataVolumeCreate']);
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(world.condition('Failure')?.message).toContain('no CDI');
    expect(names(world)).toEqual([]);
    const before = world.vm;
    for (let i = 0; i < 4; i++) world.pass();
    expect(world.vm).toEqual(before);
    world.cluster.refuse.clear();
  });

  test('vm case 67: a running VM whose data volume was collected gets it again, and waits for it', () => {
    const world = withTemplates([dataVolumeTemplate('one')]);
    world.settle();
    fill(world, 'one', 'Succeeded');
    createClaim(world, 'one');
    world.started();
    world.cluster.delete(DataVolume, 'one', NAMESPACE);
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Manual';
      vm.spec.template.spec = { ...vm.spec.template.spec, hostname: 'other' } as never;
    });
    world.settle();
    expect(dataVolume(world, 'one')?.metadata.annotations).toEqual({ 'cdi.kubevirt.io/allowClaimAdoption': 'true' });
    expect(world.condition('RestartRequired')).toBeUndefined();
    fill(world, 'one', 'Succeeded');
    world.settle();
    expect(world.condition('RestartRequired')).toMatchObject({ status: 'True' });
    expect(world.instance.status?.phase).toBe('Running');
  });

  test('vm case 128: the data volume of another VM is neither adopted nor made again', () => {
    const world = withTemplates([dataVolumeTemplate('one')], 'Halted');
    createDataVolume(world, 'one', { owners: [world.reference('another')] });
    const before = dataVolume(world, 'one');
    expect(world.settle().type).toBe('done');
    expect(dataVolume(world, 'one')).toEqual(before);
    expect(world.eventReasons).toEqual([]);
    expect(world.condition('Failure')).toBeUndefined();
    expect(world.vm.spec.template.spec?.domain.firmware?.uuid).toBeDefined();
  });
});

describe('ownership of data volumes (vm.md 3.2)', () => {
  test('vm case 9: an orphan is adopted, not made', () => {
    const world = withTemplates([dataVolumeTemplate('one')], 'Halted');
    createDataVolume(world, 'one');
    world.settle();
    expect(dataVolume(world, 'one')?.metadata.ownerReferences).toEqual([world.reference()]);
    expect(world.eventReasons).toEqual([]);
  });

  test('vm case 9: with its uid, and only while the VM lives', () => {
    const world = withTemplates([dataVolumeTemplate('one')], 'Halted');
    createDataVolume(world, 'one');
    const adoption = world.pass().actions[0];
    expect(adoption).toMatchObject({
      verb: 'patch',
      patch: { type: 'merge', uid: dataVolume(world, 'one')?.metadata.uid },
      preconditions: [{ type: 'live', kind: 'VirtualMachine', uid: world.vm.metadata.uid }],
    });
  });

  test('an adoption that is refused ends the pass without status', () => {
    const world = withTemplates([dataVolumeTemplate('one')], 'Halted');
    createDataVolume(world, 'one');
    world.refuse('adopt-data-volume one');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.status.conditions).toBeUndefined();
    world.cluster.refuse.clear();
  });

  test('one that is going is not adopted, nor one of a VM that is going', () => {
    const world = withTemplates([dataVolumeTemplate('one')], 'Halted', { finalizers: ['x/y'] });
    createDataVolume(world, 'one');
    world.deleteVm();
    world.settle();
    expect(dataVolume(world, 'one')?.metadata.ownerReferences).toBeUndefined();
  });

  test.each([
    ['Succeeded', true],
    ['ImportInProgress', false],
  ])("vm case 10: somebody else's is left alone; that it is %s decides", (phase, starts) => {
    const world = withTemplates([dataVolumeTemplate('one')]);
    createDataVolume(world, 'one', { phase, owners: [world.reference('another')] });
    world.settle();
    expect(dataVolume(world, 'one')?.metadata.ownerReferences).toEqual([world.reference('another')]);
    expect(world.maybeInstance !== undefined).toBe(starts);
  });
});

describe('clones', () => {
  const from = (namespace?: string): Template =>
    dataVolumeTemplate('one', { source: { pvc: { name: 'golden', ...(namespace && { namespace }) } as never } });

  function cloning(template: Template = from('images'), spec: object = {}): World {
    const world = withTemplates([template], 'Always', {}, spec);
    createNamespace(world, 'images');
    createClaim(world, 'golden', {}, { metadata: { namespace: 'images' } });
    return world;
  }

  test('vm case 63: both reviews denied: event, no creation', () => {
    const world = cloning();
    world.cluster.allows = () => false;
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.eventReasons).toEqual(['UnauthorizedDataVolumeCreate']);
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(names(world)).toEqual([]);
    world.cluster.allows = () => true;
  });

  test('vm case 63: what is filled already needs no rights', () => {
    const world = cloning({
      ...from('images'),
      metadata: { name: 'one', annotations: { 'cdi.kubevirt.io/storage.prePopulated': 'x' } } as object,
    });
    world.cluster.allows = () => false;
    world.settle();
    expect(names(world)).toEqual(['one']);
  });

  test.each([
    [['datavolumes/source'], true],
    [['pods/'], true],
    [['pvcs/'], false],
  ])('a claim may be cloned with %s: %s', (allowed, made) => {
    const world = cloning();
    world.cluster.allows = (a) => allowed.includes(`${a.resource}/${a.subresource ?? ''}`);
    world.pass();
    world.pass();
    expect(names(world)).toEqual(made ? ['one'] : []);
    world.cluster.allows = () => true;
  });

  test.each([
    [['datavolumes/source'], true],
    [['pods/'], false],
    [['pods/', 'pvcs/'], true],
  ])('a snapshot may be cloned with %s: %s', (allowed, made) => {
    const world = cloning(dataVolumeTemplate('one', { source: { snapshot: { name: 's', namespace: 'images' } } }));
    world.cluster.allows = (a) => allowed.includes(`${a.resource}/${a.subresource ?? ''}`);
    world.pass();
    world.pass();
    expect(names(world)).toEqual(made ? ['one'] : []);
    world.cluster.allows = () => true;
  });

  test('from a namespace that is not there: refused', () => {
    const world = cloning(from('nowhere'));
    expect(world.pass().type).toBe('retry');
    expect(world.eventReasons).toEqual(['SourcePVCNotAvailabe', 'UnauthorizedDataVolumeCreate']);
    createNamespace(world, 'nowhere');
  });

  test("within the VM's namespace nobody is asked", () => {
    const world = cloning(from());
    createClaim(world, 'golden');
    world.cluster.allows = () => false;
    world.settle();
    expect(dataVolume(world, 'one')?.spec?.source).toEqual({ pvc: { name: 'golden', namespace: NAMESPACE } });
  });

  test('vm case 64: the source claim is not there: event, and the data volume is made', () => {
    const world = cloning(from('images'));
    world.changeVm((vm) => {
      vm.spec.dataVolumeTemplates = [
        dataVolumeTemplate('one', { source: { pvc: { name: 'none', namespace: 'images' } } }),
      ];
    });
    world.settle();
    expect(world.eventReasons).toEqual(['SourcePVCNotAvailabe', 'SuccessfulDataVolumeCreate']);
    expect(names(world)).toEqual(['one']);
  });

  const reference = (kind = 'DataSource') =>
    dataVolumeTemplate('one', { sourceRef: { kind, name: 'os', namespace: 'images' } });
  function createDataSource(
    world: World,
    spec: objects.DataSource['spec'],
    status: objects.DataSource['status'] = {},
  ): void {
    world.cluster.create<objects.DataSource>({
      apiVersion: cdi,
      kind: 'DataSource',
      metadata: { name: 'os', namespace: 'images' },
      spec,
      status,
    } as objects.DataSource);
  }

  test.each([
    [{ source: { pvc: { name: 'golden' } } }, {}, { pvc: { name: 'golden', namespace: 'images' } }],
    [
      { source: { snapshot: { name: 's', namespace: NAMESPACE } } },
      {},
      { snapshot: { name: 's', namespace: NAMESPACE } },
    ],
    [
      { source: { dataSource: { name: 'next' } } },
      { source: { pvc: { name: 'golden', namespace: 'images' } } },
      { pvc: { name: 'golden', namespace: 'images' } },
    ],
  ])('vm case 65: a DataSource %j is resolved', (spec, status, source) => {
    const world = cloning(reference());
    createDataSource(world, spec, status);
    world.settle();
    expect(dataVolume(world, 'one')?.spec).toMatchObject({ source });
    expect(dataVolume(world, 'one')?.spec?.sourceRef).toBeUndefined();
  });

  test.each([
    ['without claim and snapshot', 'DataSource', { source: {} }],
    ['that is not there', 'DataSource', undefined],
    ['of another kind', 'Other', { source: { pvc: { name: 'golden' } } }],
  ])('vm case 65: a reference to one %s: error, nothing made', (_name, kind, spec) => {
    const world = cloning(reference(kind));
    if (spec !== undefined) createDataSource(world, spec);
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(world.eventReasons).toEqual([]);
    expect(names(world)).toEqual([]);
  });

  const mounted = { name: 'sa', serviceAccount: { serviceAccountName: 'sa' } };
  test.each([
    ['the default', {}, 'default'],
    ['that of a volume', { volumes: [mounted] }, 'sa'],
    ["the template's", { volumes: [mounted], serviceAccountName: 'named' }, 'named'],
  ])('vm case 66: the service account: %s', (_name, spec, account) => {
    const world = cloning(from('images'), spec);
    const users = new Set<string>();
    world.cluster.allows = (_a, user) => users.add(user) !== undefined;
    world.settle();
    expect([...users]).toEqual([`system:serviceaccount:${NAMESPACE}:${account}`]);
  });
});
