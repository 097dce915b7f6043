import type { Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { hasStatus, type KubeClient } from '../kube/client.ts';
import { EventRecorder, type EventType, involved } from '../kube/event-recorder.ts';
import { paths } from '../kube/paths.ts';
import type { GuestRecord } from './guest-record.ts';
import { type ImageIds, type PodCourse, podStatus, says } from './pod-status.ts';

const CONFLICTS_AT_MOST = 20;

/** Writes what the agent has to say of pods and VMIs; what is said already is not written again. */
export class Reporter {
  readonly #client: KubeClient;
  readonly #hostIp: string;
  readonly #handlerEvents: EventRecorder;
  readonly #kubeletEvents: EventRecorder;

  constructor(client: KubeClient, hostIp: string, nodeName: string, log: (line: string) => void) {
    this.#client = client;
    this.#hostIp = hostIp;
    this.#handlerEvents = new EventRecorder(client, 'virt-handler', nodeName, log);
    this.#kubeletEvents = new EventRecorder(client, 'kubelet', nodeName, log);
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

  /** Tells a VMI's user what happened, or went wrong. */
  tell({ namespace, vmiName, vmiUid }: GuestRecord, type: EventType, reason: string, message: string): Promise<void> {
    const vmi = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', namespace, name: vmiName, uid: vmiUid };
    return this.#handlerEvents.tell(vmi, type, reason, message);
  }

  /** Tells at a pod, as a kubelet does, that its volumes cannot be had. */
  warnOfMount(pod: Pod, message: string): Promise<void> {
    return this.#kubeletEvents.tell(involved(pod), 'Warning', 'FailedMount', message);
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
   * Gives what was written, if anything was.
   */
  async instance(
    namespace: string,
    name: string,
    uid: string,
    change: (vmi: VirtualMachineInstance) => VirtualMachineInstance | undefined,
  ): Promise<VirtualMachineInstance | undefined> {
    const path = paths.instance(namespace, name);
    for (let conflicts = 0; ; conflicts++) {
      try {
        const live = await this.#client.get<VirtualMachineInstance>(path);
        if (live.metadata.uid !== uid) return undefined;
        const changed = change(live);
        return changed === undefined ? undefined : await this.#client.put<VirtualMachineInstance>(path, changed);
      } catch (error) {
        if (hasStatus(error, 404)) return undefined;
        if (!hasStatus(error, 409) || conflicts >= CONFLICTS_AT_MOST) throw error;
      }
    }
  }
}
