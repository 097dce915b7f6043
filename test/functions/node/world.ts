import { timestamp } from '../../../functions/core/context.ts';
import {
  DaemonSet as DaemonSetKind,
  Node as NodeKind,
  Pod as PodKind,
  VirtualMachineInstance as VmiKind,
} from '../../../functions/core/kinds.ts';
import type { DaemonSet, KubeObject, Node, Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import type { Outcome } from '../../../functions/core/outcome.ts';
import { failureId } from '../../../functions/node/fail-instance.ts';
import { node as controller } from '../../../functions/node/reads.ts';
import { reconcile } from '../../../functions/node/reconcile.ts';
import { ModelCluster } from '../model/cluster.ts';
import { type Disturbance, Driver } from '../model/driver.ts';

export const NODE = 'n1';
const NAMESPACE = 'default';
export const MINUTE_MS = 60_000;

type PodStatus = NonNullable<Pod['status']>;
type ContainerState = NonNullable<PodStatus['containerStatuses']>[number]['state'];

export const RUNNING: ContainerState = { running: {} };
export const TERMINATED: ContainerState = { terminated: { exitCode: 0 } };

export interface NodeTraits {
  /** Age of the heartbeat; a text is written as it is; `null`: there is none. */
  readonly beatAgeMs?: number | string | null;
  /** Value of the schedulable label; `null`: there is none. */
  readonly schedulable?: string | null;
}

/** Ten minutes old. */
export const OLD = 10 * MINUTE_MS;

export interface PodTraits {
  readonly name?: string;
  readonly namespace?: string;
  readonly owner?: { readonly kind: string; readonly uid: string };
  readonly phase?: PodStatus['phase'];
  readonly containers?: readonly ContainerState[];
  readonly role?: string;
  readonly node?: string;
  readonly deleted?: boolean;
}

/** The node controller on a model of the cluster, with one node of interest, `n1`. */
export class World {
  readonly cluster = new ModelCluster();
  readonly #driver = new Driver(this.cluster, controller, reconcile);

  /** A world with the node, its heartbeat old and out of scheduling unless told. */
  static withNode(traits: NodeTraits = {}): World {
    const world = new World();
    world.addNode(traits);
    return world;
  }

  addNode({ beatAgeMs = OLD, schedulable = 'false' }: NodeTraits): void {
    const beat = typeof beatAgeMs === 'number' ? timestamp(this.cluster.nowMs - beatAgeMs) : beatAgeMs;
    this.cluster.create<Node>({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: NODE,
        labels: {
          'kubernetes.io/os': 'linux',
          ...(schedulable !== null && { 'kubevirt.io/schedulable': schedulable }),
        },
        annotations: { other: 'x', ...(beat !== null && { 'kubevirt.io/heartbeat': beat }) },
      },
    });
  }

  /** A beat of the node's agent. */
  beat(): void {
    const beat = timestamp(this.cluster.nowMs);
    this.cluster.change(NodeKind, NODE, '', ({ metadata }) => {
      metadata.labels = { ...metadata.labels, 'kubevirt.io/schedulable': 'true' };
      metadata.annotations = { ...metadata.annotations, 'kubevirt.io/heartbeat': beat };
    });
  }

  removeNode(): void {
    this.cluster.delete(NodeKind, NODE, '');
  }

  /** A VMI of the node, in namespace `default`. */
  addVmi(name: string, phase: string | undefined, node = NODE): VirtualMachineInstance {
    this.cluster.create<VirtualMachineInstance>({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { name, namespace: NAMESPACE, uid: `uid-${name}`, labels: { 'kubevirt.io/nodeName': node } },
      spec: { domain: { devices: {} } },
      status: { nodeName: node, ...(phase !== undefined && { phase }) },
    } as VirtualMachineInstance);
    return this.vmi(name);
  }

  addPod(of: string, traits: PodTraits = {}): Pod {
    const { name = `virt-launcher-${of}`, namespace = NAMESPACE, role = 'virt-launcher' } = traits;
    const owner = traits.owner ?? { kind: 'VirtualMachineInstance', uid: `uid-${of}` };
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace,
        labels: { 'kubevirt.io': role, 'kubevirt.io/created-by': `uid-${of}` },
        ownerReferences: [{ apiVersion: 'x/v1', name: of, controller: true, ...owner }],
      },
      spec: { nodeName: traits.node ?? NODE, containers: [] },
    };
    this.cluster.create(pod);
    this.changePod(name, namespace, (p) => {
      if (traits.deleted === true) p.metadata.deletionTimestamp = timestamp(this.cluster.nowMs);
      p.status = {
        phase: traits.phase ?? 'Running',
        containerStatuses: (traits.containers ?? []).map((state, i) => ({ ...container, name: `c${i}`, state })),
      };
    });
    return pod;
  }

  changePod(name: string, namespace: string, change: (pod: Pod) => void): void {
    this.cluster.change(PodKind, name, namespace, change);
  }

  /** Removes a pod whose containers have ended. */
  removePod(name: string, namespace = NAMESPACE): void {
    this.changePod(name, namespace, (p) => delete p.spec.nodeName);
    this.cluster.delete(PodKind, name, namespace);
  }

  /** A pod of the node's agent. */
  addAgent(phase: PodStatus['phase'] = 'Running'): void {
    this.addPod('agent', {
      name: 'virt-handler-1',
      namespace: 'kubevirt',
      role: 'virt-handler',
      phase,
      owner: { kind: 'DaemonSet', uid: 'ds' },
    });
  }

  addAgentSet(desired: number, scheduled: number, ready: number, name = 'virt-handler'): void {
    const metadata = { name, namespace: 'kubevirt', labels: { 'kubevirt.io': 'virt-handler' } };
    this.cluster.create<DaemonSet>({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata });
    this.cluster.change(DaemonSetKind, name, 'kubevirt', (set) => {
      set.status = { desiredNumberScheduled: desired, currentNumberScheduled: scheduled, numberReady: ready };
    });
  }

  get node(): Node {
    const found = this.cluster.get(NodeKind, NODE, '');
    if (found === undefined) throw new Error('the node is gone');
    return found;
  }
  get schedulable(): string | undefined {
    return this.node.metadata.labels?.['kubevirt.io/schedulable'];
  }
  vmi(name: string): VirtualMachineInstance {
    const found = this.cluster.get(VmiKind, name, NAMESPACE);
    if (found === undefined) throw new Error(`VMI ${name} is gone`);
    return found;
  }
  changeVmi(name: string, change: (vmi: VirtualMachineInstance) => void): void {
    this.cluster.change(VmiKind, name, NAMESPACE, change);
  }
  removeVmi(name: string): void {
    this.cluster.delete(VmiKind, name, NAMESPACE);
  }
  /** `<phase> <reason>` of a VMI. */
  state(name: string): string {
    const { phase = '', reason = '' } = this.vmi(name).status ?? {};
    return `${phase} ${reason}`.trim();
  }
  /** `<kind>/<name> <type> <reason>` of all events, in order. */
  get events(): readonly string[] {
    return this.cluster.events.map((e) => `${e.regarding.kind}/${e.regarding.name} ${e.type} ${e.reason}`);
  }
  /** Everything but events, to compare. */
  get objects(): readonly KubeObject[] {
    return structuredClone(['Node', 'VirtualMachineInstance', 'Pod'].flatMap((kind) => this.cluster.cached(kind)));
  }

  refuseVmi(name: string, code = 500): void {
    this.refuse(failureId(this.vmi(name)), code);
  }
  refuse(id: string, code = 500): void {
    this.cluster.refuse.set(id, { code, reason: 'Refused', message: `${code}` });
  }
  later(ms: number): void {
    this.cluster.nowMs += ms;
  }

  /** One delivery. */
  pass(disturbance: Disturbance = {}): Outcome<never> {
    return this.#driver.pass(NODE, disturbance);
  }
  /** Deliveries until one writes nothing. */
  settle(): Outcome<never> {
    return this.#driver.settle(NODE);
  }
}

const container = { image: '', imageID: '', ready: false, restartCount: 0 };

/** The outcome of a pass that looks again after a minute. */
export const NEXT_MINUTE = { type: 'requeue-after', afterMs: MINUTE_MS };
