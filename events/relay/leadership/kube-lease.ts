/** virt-controller's own Lease, by virt-controller's rules, so that it and the relay never both act (runtime.md 5). */
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { KubeApi } from '../kube/api.ts';
import { ApiRefusal } from '../kube/errors.ts';
import type { Ports } from '../ports.ts';
import type { Attempt, Lease, LeaseTiming } from './lease-keeper.ts';

interface LeaseObject extends KubeObject {
  spec: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

export const LEASE_NAME = 'virt-controller';

/** Path of virt-controller's Lease in KubeVirt's namespace. */
export function leasePath(namespace: string): string {
  return `${leasesPath(namespace)}/${LEASE_NAME}`;
}

function leasesPath(namespace: string): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
}

export class KubeLease implements Lease {
  readonly name = 'Kubernetes Lease virt-controller';
  readonly #api: KubeApi;
  readonly #namespace: string;
  readonly #identity: string;
  readonly #timing: LeaseTiming;
  readonly #ports: Ports;
  /** The record as last seen, and when it was first seen so: only that age counts, never the times written in it. */
  #observed: { record: string; at: number } | undefined;
  #last: LeaseObject | undefined;

  constructor(api: KubeApi, namespace: string, identity: string, timing: LeaseTiming, ports: Ports) {
    this.#api = api;
    this.#namespace = namespace;
    this.#identity = identity;
    this.#timing = timing;
    this.#ports = ports;
  }

  async acquire(): Promise<Attempt> {
    return this.#guarded(async () => {
      const live = await this.#api.get<LeaseObject>(leasePath(this.#namespace), this.#timing.renewDeadlineMs);
      if (live === undefined) return this.#create();
      const record = JSON.stringify(live.spec);
      if (this.#observed?.record !== record) this.#observed = { record, at: this.#ports.clock.monotonic() };
      const holder = live.spec.holderIdentity ?? '';
      const validMs = (live.spec.leaseDurationSeconds ?? 15) * 1000;
      if (holder !== '' && holder !== this.#identity && this.#ports.clock.monotonic() - this.#observed.at < validMs) {
        return { type: 'refused', why: `held by ${holder}` };
      }
      return this.#put(
        live,
        holder === this.#identity
          ? {}
          : { acquireTime: this.#microTime(), leaseTransitions: (live.spec.leaseTransitions ?? 0) + 1 },
      );
    });
  }

  async renew(): Promise<Attempt> {
    return this.#guarded(async () => (this.#last === undefined ? this.acquire() : this.#put(this.#last, {})));
  }

  async release(): Promise<void> {
    const last = this.#last;
    if (last === undefined) return;
    this.#last = undefined;
    await this.#guarded(() => this.#put(last, { holderIdentity: '', leaseDurationSeconds: 1 }));
  }

  async #create(): Promise<Attempt> {
    const now = this.#microTime();
    const spec = { ...this.#spec(), acquireTime: now, renewTime: now, leaseTransitions: 0 };
    const object = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: LEASE_NAME, namespace: this.#namespace },
      spec,
    };
    this.#last = await this.#api.request<LeaseObject>({
      method: 'POST',
      path: leasesPath(this.#namespace),
      body: object,
      timeoutMs: this.#timing.renewDeadlineMs,
    });
    return { type: 'held' };
  }

  async #put(base: LeaseObject, change: Partial<LeaseObject['spec']>): Promise<Attempt> {
    const spec = { ...base.spec, ...this.#spec(), renewTime: this.#microTime(), ...change };
    this.#last = await this.#api.request<LeaseObject>({
      method: 'PUT',
      path: leasePath(this.#namespace),
      body: { ...base, spec },
      timeoutMs: this.#timing.renewDeadlineMs,
    });
    return { type: 'held' };
  }

  #spec() {
    return { holderIdentity: this.#identity, leaseDurationSeconds: Math.ceil(this.#timing.durationMs / 1000) };
  }

  #microTime(): string {
    return new Date(this.#ports.clock.now()).toISOString().replace(/Z$/, '000Z');
  }

  async #guarded(step: () => Promise<Attempt>): Promise<Attempt> {
    try {
      return await step();
    } catch (e) {
      // Lost to another candidate, or out of date: the next try reads it anew.
      if (e instanceof ApiRefusal && e.code === 409) this.#last = undefined;
      return { type: 'refused', why: e instanceof Error ? e.message : String(e) };
    }
  }
}
