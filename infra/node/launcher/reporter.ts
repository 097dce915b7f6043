import type { Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { hasStatus, type KubeClient } from '../kube/client.ts';
import { paths } from '../kube/paths.ts';
import { timestamp } from '../node/time.ts';
import type { GuestRecord } from './guest-record.ts';
import { type ImageIds, type PodCourse, podStatus, says } from './pod-status.ts';

const CONFLICTS_AT_MOST = 20;
/** The API server refuses longer ones. */
const EVENT_MESSAGE_LIMIT = 1024;

/** Writes what the agent has to say of pods and VMIs; what is said already is not written again. */
export class Reporter {
  readonly #client: KubeClient;
  readonly #hostIp: string;
  readonly #nodeName: string;

  constructor(client: KubeClient, hostIp: string, nodeName: string) {
    this.#client = client;
    this.#hostIp = hostIp;
    this.#nodeName = nodeName;
  }

  /** The pod as it is afterwards; undefined when it is gone. */
  async pod(pod: Pod, course: PodCourse, imageIds: ImageIds = {}): Promise<Pod | undefined> {
    const { name, namespace = '', uid } = pod.metadata;
    const status = podStatus(pod, course, imageIds, this.#hostIp, Date.now());
    if (says(pod.status, status)) return pod;
    try {
      return await this.#client.patch<Pod>(paths.podStatus(namespace, name), 'strategic-merge-patch', {
        // Refused when a pod of that name is another one.
        metadata: { uid },
        status,
      });
    } catch (error) {
      if (hasStatus(error, 404) || hasStatus(error, 409)) return undefined;
      throw error;
    }
  }

  /** Tells a VMI's user what went wrong; nothing depends on it. */
  async warn({ namespace, vmiName, vmiUid }: GuestRecord, reason: string, message: string): Promise<void> {
    const nowMs = Date.now();
    const now = timestamp(nowMs);
    const involved = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      namespace,
      name: vmiName,
      uid: vmiUid,
    };
    await this.#client.post(paths.events(namespace), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${vmiName}.${nowMs.toString(16)}`, namespace },
      involvedObject: involved,
      type: 'Warning',
      reason,
      message: message.slice(0, EVENT_MESSAGE_LIMIT),
      source: { component: 'virt-handler', host: this.#nodeName },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    });
  }

  /** Takes away a pod whose containers have ended. */
  async removePod(namespace: string, name: string, uid: string): Promise<void> {
    try {
      await this.#client.delete(paths.pod(namespace, name), { gracePeriodSeconds: 0, preconditions: { uid } });
    } catch (error) {
      if (!hasStatus(error, 404) && !hasStatus(error, 409)) throw error;
    }
  }

  /**
   * Changes a VMI, which has no status subresource: the whole object is written, and on a conflict everything is done again on
   * the newest one. `change` gives undefined where nothing is to be changed. A VMI that is gone or another one stays as it is.
   */
  async instance(
    namespace: string,
    name: string,
    uid: string,
    change: (vmi: VirtualMachineInstance) => VirtualMachineInstance | undefined,
  ): Promise<void> {
    const path = paths.instance(namespace, name);
    for (let conflicts = 0; ; conflicts++) {
      try {
        const live = await this.#client.get<VirtualMachineInstance>(path);
        if (live.metadata.uid !== uid) return;
        const changed = change(live);
        if (changed !== undefined) await this.#client.put(path, changed);
        return;
      } catch (error) {
        if (hasStatus(error, 404)) return;
        if (!hasStatus(error, 409) || conflicts >= CONFLICTS_AT_MOST) throw error;
      }
    }
  }
}
