/** Plays scheduler, kubelet and node agent for launcher pods, without delay, and keeps a record of all pods that ever were. */
import { setTimeout as sleep } from 'node:timers/promises';
import { timestamp } from '../../../functions/core/context.ts';
import type { Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { ApiError, type KubeRequest, mergePatch } from '../../../infra/local/kube-client.ts';

const POLL_MS = 50;
const NODE = 'played';

export class ClusterPlayer {
  readonly #request: KubeRequest;
  readonly #namespace: string;
  #stopped = false;
  #loop: Promise<void> | undefined;
  /** Names of launcher pods that were unfinished at the same time as another one of the same VMI. */
  readonly doubles = new Set<string>();
  /** Launcher pods ever seen, by VMI. */
  readonly podsOf = new Map<string, Set<string>>();

  constructor(request: KubeRequest, namespace: string) {
    this.#request = request;
    this.#namespace = namespace;
  }

  async start(): Promise<void> {
    await this.#request('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: this.#namespace },
    });
    await until('a service account', async () => (await this.list('serviceaccounts', '/api/v1')).length > 0);
    const labels = { 'kubevirt.io/schedulable': 'true', 'kubernetes.io/hostname': NODE };
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE, labels } };
    await this.#request('POST', '/api/v1/nodes', node).catch(ignore(409));
    this.#loop = this.#play();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop;
  }

  async list<T>(plural: string, root = '/apis/kubevirt.io/v1'): Promise<T[]> {
    const list = await this.#request('GET', `${root}/namespaces/${this.#namespace}/${plural}`);
    return list.items as T[];
  }

  async #play(): Promise<void> {
    while (!this.#stopped) {
      // An API server that is busy is asked again.
      await this.#round().catch(() => undefined);
      await sleep(POLL_MS);
    }
  }

  async #round(): Promise<void> {
    const pods = await this.list<Pod>('pods', '/api/v1');
    const unfinished = new Map<string, string[]>();
    for (const pod of pods) {
      const vmi = pod.metadata.annotations?.['kubevirt.io/domain'] ?? '';
      const seen = this.podsOf.get(vmi) ?? new Set();
      this.podsOf.set(vmi, seen.add(pod.metadata.name));
      if (pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed')
        unfinished.set(vmi, [...(unfinished.get(vmi) ?? []), pod.metadata.name]);
    }
    for (const names of unfinished.values()) if (names.length > 1) for (const name of names) this.doubles.add(name);
    await Promise.all(pods.map((pod) => this.#pod(pod)));
    await Promise.all(
      (await this.list<VirtualMachineInstance>('virtualmachineinstances')).map((vmi) => this.#instance(vmi)),
    );
  }

  async #pod(pod: Pod): Promise<void> {
    const path = `/api/v1/namespaces/${this.#namespace}/pods/${pod.metadata.name}`;
    if (pod.metadata.deletionTimestamp !== undefined) {
      await this.#request('DELETE', `${path}?gracePeriodSeconds=0`).catch(ignore(404));
    } else if (pod.spec.nodeName === undefined) {
      const binding = {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: pod.metadata.name },
        target: { apiVersion: 'v1', kind: 'Node', name: NODE },
      };
      await this.#request('POST', `${path}/binding`, binding).catch(ignore(409, 404));
    } else if (pod.status?.phase === 'Pending') {
      const now = timestamp(Date.now());
      const containerStatuses = pod.spec.containers.map((c) => ({
        name: c.name,
        image: c.image,
        imageID: 'x',
        ready: true,
        restartCount: 0,
        state: { running: { startedAt: now } },
      }));
      await this.#request(
        'PATCH',
        `${path}/status`,
        { status: { phase: 'Running', containerStatuses } },
        mergePatch,
      ).catch(ignore(404));
    }
  }

  async #instance(vmi: VirtualMachineInstance): Promise<void> {
    const path = `/apis/kubevirt.io/v1/namespaces/${this.#namespace}/virtualmachineinstances/${vmi.metadata.name}`;
    const phase = vmi.status?.phase;
    const next =
      vmi.metadata.deletionTimestamp !== undefined && phase === 'Running'
        ? 'Succeeded'
        : phase === 'Scheduled'
          ? 'Running'
          : undefined;
    if (next !== undefined)
      await this.#request('PATCH', path, { status: { phase: next } }, mergePatch).catch(ignore(404));
  }
}

function ignore(...statuses: number[]) {
  return (error: unknown): undefined => {
    if (error instanceof ApiError && statuses.includes(error.status)) return undefined;
    throw error;
  };
}

/** Against hangs only. */
const HANG_MS = 100_000;

export async function until(what: string, condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + HANG_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${what}: not seen`);
    await sleep(100);
  }
}

/** A VM of the smallest kind. */
export function smallVm(name: string, template: Readonly<Record<string, unknown>> = {}): object {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name },
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: {},
        ...template,
        spec: {
          domain: {
            devices: {
              disks: [{ name: 'boot', disk: { bus: 'virtio' } }],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
            resources: { requests: { memory: '64Mi' } },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [{ name: 'boot', containerDisk: { image: 'registry.example/disks/small:1' } }],
        },
      },
    },
  };
}
