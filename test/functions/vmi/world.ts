import { expect } from 'vitest';
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import { Pod as PodKind, VirtualMachineInstance as VmiKind } from '../../../functions/core/kinds.ts';
import type { KubeObject, Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import type { Outcome } from '../../../functions/core/outcome.ts';
import { vmi as controller, type vmi } from '../../../functions/vmi/reads.ts';
import { reconcile } from '../../../functions/vmi/reconcile.ts';
import { ModelCluster } from '../model/cluster.ts';
import { type Disturbance, Driver } from '../model/driver.ts';
import { configuration } from './fixtures.ts';

/** An object with all of its kind's members. */
export type Stored = KubeObject & { readonly status?: unknown };

type Primary = VirtualMachineInstance;

/** The VMI controller on a model of the cluster, with one VMI of interest, `default/testvmi`. */
export class World {
  readonly cluster = new ModelCluster();
  readonly #driver = new Driver<Primary, (typeof vmi)['reads'], never>(this.cluster, controller, reconcile);

  constructor(...objects: readonly Stored[]) {
    this.configuration = configuration;
    for (const o of objects) this.put(o);
  }

  /** What the table grants to passes that need something. */
  set grant(value: Driver<Primary, (typeof vmi)['reads'], never>['grant']) {
    this.#driver.grant = value;
  }

  get configuration(): ClusterConfiguration {
    return this.#driver.configuration;
  }
  set configuration(value: ClusterConfiguration) {
    this.#driver.configuration = value;
  }

  /** Stores an object as it is given, in the place of what bears its name. */
  put(object: Stored): void {
    const { metadata } = object;
    const uid = metadata.uid ?? `uid-${metadata.name}`;
    const kind = { ...PodKind, kind: object.kind };
    const namespace = metadata.namespace ?? '';
    if (this.cluster.get(kind, metadata.name, namespace) === undefined) {
      this.cluster.create({ ...structuredClone(object), metadata: { ...metadata, uid } });
    }
    this.cluster.change(kind, metadata.name, namespace, (stored) => {
      const { creationTimestamp, generation } = stored.metadata;
      Object.assign(stored, structuredClone(object));
      stored.metadata = { creationTimestamp, generation, ...structuredClone(metadata), uid };
    });
  }

  changeVmi(change: (vmi: VirtualMachineInstance) => void): void {
    this.cluster.change(VmiKind, 'testvmi', 'default', change);
  }
  changePod(pod: Pod, change: (pod: Pod) => void): void {
    this.cluster.change(PodKind, pod.metadata.name, 'default', change);
  }
  /** Removes a pod as a kubelet does when its containers have ended. */
  removePod(pod: Pod): void {
    this.changePod(pod, (p) => delete p.spec.nodeName);
    this.cluster.delete(PodKind, pod.metadata.name, 'default');
  }

  get hasVmi(): boolean {
    return this.cluster.get(VmiKind, 'testvmi', 'default') !== undefined;
  }
  get vmi(): VirtualMachineInstance {
    const found = this.cluster.get(VmiKind, 'testvmi', 'default');
    if (found === undefined) throw new Error('the VMI is gone');
    return found;
  }
  get status() {
    return this.vmi.status ?? {};
  }
  get pods(): readonly Pod[] {
    return structuredClone(this.cluster.cached('Pod') as Pod[]);
  }
  get pod(): Pod {
    const [only, second] = this.pods;
    if (only === undefined || second !== undefined) throw new Error(`${this.pods.length} pods, not one`);
    return only;
  }
  /** Attachment and trigger pods. */
  get hotplugPods(): readonly Pod[] {
    return this.pods.filter((p) => p.metadata.labels?.['kubevirt.io'] === 'hotplug-disk');
  }
  get hotplugPod(): Pod {
    const [only, second] = this.hotplugPods;
    if (only === undefined || second !== undefined) throw new Error(`${this.hotplugPods.length} hotplug pods, not one`);
    return only;
  }
  /** The entry of a volume in the VMI's status. */
  volume(name: string) {
    return this.status.volumeStatus?.find((v) => v.name === name);
  }
  /** `type status reason` of the VMI's conditions, sorted. */
  get conditions(): readonly string[] {
    return (this.status.conditions ?? []).map((c) => [c.type, c.status, c.reason ?? ''].join(' ').trim()).sort();
  }
  /** Phases with a time stamp. */
  get stamped(): readonly (string | undefined)[] {
    return (this.status.phaseTransitionTimestamps ?? []).map((t) => t.phase);
  }
  /** `<type> <reason>` of all events, in order. */
  get events(): readonly string[] {
    return this.cluster.events.map((e) => `${e.type} ${e.reason}`);
  }

  /** The API refuses the action of that id from now on. */
  refuse(id: string, code: number, message: string): void {
    this.cluster.refuse.set(id, { code, reason: 'Refused', message });
  }
  refuseNothing(): void {
    this.cluster.refuse.clear();
  }
  later(ms: number): void {
    this.cluster.nowMs += ms;
  }

  /** One delivery. */
  pass(disturbance: Disturbance = {}): Outcome<never> {
    return this.#driver.pass('default/testvmi', disturbance);
  }
  /** Deliveries until one writes nothing. */
  settle(): Outcome<never> {
    return this.#driver.settle('default/testvmi');
  }

  /** Once nothing is in its way the VMI comes to rest: the second pass over an unchanged world writes nothing, at no time. */
  expectCalm(): void {
    this.refuseNothing();
    this.cluster.releaseWatch('Pod');
    this.pass();
    this.later(60_000);
    this.settle();
    for (let i = 0; i < 2; i++) {
      this.later(60_000);
      expect(this.pass().actions.filter((a) => a.verb !== 'event')).toEqual([]);
    }
  }
}
