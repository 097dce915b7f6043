import { afterEach, expect } from 'vitest';
import { conditionOf } from '../../../functions/core/conditions.ts';
import { ControllerRevision, VirtualMachine, VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import type * as objects from '../../../functions/core/objects.ts';
import type { Outcome } from '../../../functions/core/outcome.ts';
import { vm as controller } from '../../../functions/vm/reads.ts';
import { reconcile } from '../../../functions/vm/reconcile.ts';
import { ModelCluster } from '../model/cluster.ts';
import { type Disturbance, Driver } from '../model/driver.ts';

export const NAMESPACE = 'ns1';
export const NAME = 'testvm';
export const FINALIZER = 'kubevirt.io/virtualMachineControllerFinalize';
export const GENERATION = 'kubevirt.io/vm-generation';
export const observed = {
  'kubevirt.io/latest-observed-api-version': 'v1',
  'kubevirt.io/storage-observed-api-version': 'v1',
};
const KEY = `${NAMESPACE}/${NAME}`;

type VmSpec = Partial<objects.VirtualMachine['spec']>;
type Spec = objects.VirtualMachineInstance['spec'];
type InstanceStatus = NonNullable<objects.VirtualMachineInstance['status']>;

/** A template in its written form, with a firmware UUID. */
export function templateSpec(extra: Partial<Spec> = {}): Spec {
  return {
    domain: {
      devices: {
        disks: [{ name: 'boot', disk: { bus: 'virtio' } }],
        interfaces: [{ name: 'default', masquerade: {} }],
      },
      firmware: { uuid: '11111111-2222-4333-8444-555555555555' },
      resources: { requests: { memory: '128Mi' } },
    },
    networks: [{ name: 'default', pod: {} }],
    volumes: [{ name: 'boot', containerDisk: { image: 'registry.example/disks/small:1' } }],
    ...extra,
  };
}

/** The same without UUID, as a user writes it. */
export function templateWithoutUuid(): Spec {
  const spec = templateSpec();
  const { firmware: _, ...domain } = spec.domain;
  return { ...spec, domain };
}

const worlds: World[] = [];
// The property of every situation that a test sets up: left to itself it comes to rest, and then nothing is written.
afterEach(() => {
  for (const world of worlds.splice(0)) world.settle();
});

/** A cluster with at most one VM, and the controller at work on it. */
export class World {
  readonly cluster = new ModelCluster();
  readonly driver = new Driver(this.cluster, controller, reconcile);

  constructor() {
    worlds.push(this);
  }

  /** A VM that earlier passes have seen: API annotations, finalizer, firmware UUID. */
  static withVm(
    fields: VmSpec = { runStrategy: 'Always' },
    template: Partial<Spec> = {},
    metadata: Partial<objects.ObjectMeta> = {},
  ): World {
    return World.withNewVm(fields, templateSpec(template), {
      annotations: observed,
      finalizers: [FINALIZER],
      ...metadata,
    });
  }

  /** A VM as a user makes it. */
  static withNewVm(fields: VmSpec, template: Spec, metadata: Partial<objects.ObjectMeta> = {}): World {
    const world = new World();
    world.cluster.create<objects.VirtualMachine>({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name: NAME, namespace: NAMESPACE, ...metadata },
      spec: { ...fields, template: { metadata: { labels: { app: NAME } }, spec: template } },
    });
    return world;
  }

  pass(disturbance?: Disturbance): Outcome {
    return this.driver.pass(KEY, disturbance);
  }

  settle(): Outcome {
    return this.driver.settle(KEY);
  }

  /** Brings the VM to rest and its VMI to a phase, Running included, as the agents of a node do. */
  started(phase = 'Running', status: Partial<InstanceStatus> = {}): this {
    this.settle();
    this.phase(phase, status);
    this.settle();
    return this;
  }

  phase(phase: string, status: Partial<InstanceStatus> = {}): void {
    const now = new Date(this.cluster.nowMs).toISOString();
    this.changeInstance((vmi) => {
      const past = vmi.status?.phaseTransitionTimestamps ?? [];
      const ready = { type: 'Ready', status: phase === 'Running' ? 'True' : 'False', reason: 'Test' };
      vmi.status = {
        ...vmi.status,
        phase,
        phaseTransitionTimestamps: [...past, { phase, phaseTransitionTimestamp: now }],
        conditions: [ready],
        ...status,
      };
    });
  }

  get vm(): objects.VirtualMachine {
    return present(this.maybeVm);
  }

  get maybeVm(): objects.VirtualMachine | undefined {
    return this.cluster.get(VirtualMachine, NAME, NAMESPACE);
  }

  get status(): NonNullable<objects.VirtualMachine['status']> {
    return this.vm.status ?? {};
  }

  get instance(): objects.VirtualMachineInstance {
    return present(this.maybeInstance);
  }

  get maybeInstance(): objects.VirtualMachineInstance | undefined {
    return this.cluster.get(VirtualMachineInstance, NAME, NAMESPACE);
  }

  get revisions(): readonly objects.ControllerRevision[] {
    return this.cluster.cached('ControllerRevision') as readonly objects.ControllerRevision[];
  }

  /** Generations of the start revisions, in the names' last part. */
  get revisionGenerations(): readonly string[] {
    return this.revisions.map((r) => r.metadata.name.replace(/^.*-/, '')).sort();
  }

  get eventReasons(): readonly string[] {
    return this.cluster.events.map((e) => e.reason);
  }

  condition(type: string): objects.Condition | undefined {
    return conditionOf(this.status.conditions, type);
  }

  changeVm(edit: (vm: objects.VirtualMachine) => void): void {
    this.cluster.change(VirtualMachine, NAME, NAMESPACE, edit);
  }

  changeInstance(edit: (vmi: objects.VirtualMachineInstance) => void): void {
    this.cluster.change(VirtualMachineInstance, NAME, NAMESPACE, edit);
  }

  request(...stateChangeRequests: objects.StateChangeRequest[]): void {
    this.changeVm((vm) => {
      vm.status = { ...vm.status, stateChangeRequests };
    });
  }

  deleteVm(): void {
    this.cluster.delete(VirtualMachine, NAME, NAMESPACE);
  }

  deleteInstance(): void {
    this.cluster.delete(VirtualMachineInstance, NAME, NAMESPACE);
  }

  /** A VMI of the VM's name that the VM did not make. */
  createInstance(metadata: Partial<objects.ObjectMeta> = {}, status: Partial<InstanceStatus> = {}): void {
    this.cluster.create<objects.VirtualMachineInstance>({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { name: NAME, namespace: NAMESPACE, ...metadata },
      spec: templateSpec(),
      status,
    });
  }

  createRevision(name: string, revision: number, spec: unknown = this.vm.spec): void {
    this.cluster.create<objects.ControllerRevision>({
      apiVersion: 'apps/v1',
      kind: ControllerRevision.kind,
      metadata: { name, namespace: NAMESPACE, ownerReferences: [this.reference()] },
      data: { spec },
      revision,
    });
  }

  reference(uid: string = this.vm.metadata.uid ?? ''): objects.OwnerReference {
    const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: NAME, uid };
    return { ...owner, controller: true, blockOwnerDeletion: true };
  }

  /** The VMI's other finalizers are let go of, as the VMI controller does once its pods are gone. */
  reapInstance(): void {
    this.changeInstance((vmi) => {
      vmi.metadata.finalizers = vmi.metadata.finalizers?.filter((f) => f === FINALIZER);
    });
  }

  refuse(id: string, code = 403, reason = 'Forbidden', message = `${id} refused`): void {
    this.cluster.refuse.set(id, { code, reason, message });
  }
}

function present<T>(value: T | undefined): T {
  expect(value).toBeDefined();
  return value as T;
}
