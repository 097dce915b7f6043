import { readFileSync } from 'node:fs';
import type { HostDescription } from '../hypervisor/hypervisor.ts';
import { hasStatus, type KubeClient } from '../kube/client.ts';
import { paths } from '../kube/paths.ts';
import { hostLabels, relabelled } from './host-labels.ts';
import { kubeletLabels, type Machine, nodeStatus } from './node-object.ts';
import type { Readiness } from './readiness.ts';
import { timestamp } from './time.ts';

interface NodeObject {
  readonly metadata: { readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> };
  readonly spec?: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
}

/** Put on a node by the control plane while nobody vouches for it. */
const ABSENCE_TAINTS = new Set(['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']);
const PATCH_TEST_FAILED = 422;
const PATCH_TRIES = 5;
const SCHEDULABLE = 'kubevirt.io/schedulable';
const SKIP_LABELS = 'node-labeller.kubevirt.io/skip-node';

export interface Registration extends Machine {
  readonly client: KubeClient;
  readonly host: HostDescription;
}

/** Creates the node, not schedulable yet, if there is none of that name (node.md C2: schedulable is first `false`). */
export async function register({ client, nodeName }: Registration): Promise<void> {
  const labels = { ...kubeletLabels(nodeName), [SCHEDULABLE]: 'false' };
  try {
    await client.post(paths.nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName, labels } });
  } catch (error) {
    if (!hasStatus(error, 409)) throw error;
    await client.patch(paths.node(nodeName), 'strategic-merge-patch', { metadata: { labels } });
  }
}

/** Reports what the node has and whether it is ready; if so, takes away what says that nobody vouches for it. */
export async function reportStatus(registration: Registration, readiness: Readiness): Promise<void> {
  const { client, nodeName } = registration;
  const status = nodeStatus(registration, Date.now(), readiness);
  await client.patch(paths.nodeStatus(nodeName), 'strategic-merge-patch', { status });
  if (readiness.type === 'ready') await untilUnchanged(() => removeAbsenceTaints(client, nodeName));
}

async function removeAbsenceTaints(client: KubeClient, nodeName: string): Promise<void> {
  const node = await client.get<NodeObject>(paths.node(nodeName));
  const taints = node.spec?.taints ?? [];
  const kept = taints.filter((taint) => !ABSENCE_TAINTS.has(taint.key));
  if (kept.length === taints.length) return;
  await client.patch(paths.node(nodeName), 'json-patch', [
    { op: 'test', path: '/spec/taints', value: taints },
    kept.length === 0 ? { op: 'remove', path: '/spec/taints' } : { op: 'replace', path: '/spec/taints', value: kept },
  ]);
}

/** One beat (node.md C2). */
export async function beat({ client, nodeName }: Registration, schedulable: boolean): Promise<void> {
  const labels = { [SCHEDULABLE]: String(schedulable), cpumanager: 'false', 'kubevirt.io/cpumanager': 'false' };
  const annotations = { 'kubevirt.io/heartbeat': timestamp(Date.now()) };
  await client.patch(paths.node(nodeName), 'strategic-merge-patch', { metadata: { labels, annotations } });
}

/** One run of the node labeller (node.md C3). */
export function label(registration: Registration): Promise<void> {
  return untilUnchanged(() => relabel(registration));
}

async function relabel({ client, nodeName, host }: Registration): Promise<void> {
  const node = await client.get<NodeObject>(paths.node(nodeName));
  if (node.metadata.annotations?.[SKIP_LABELS] !== undefined) return;
  const sources = { host, realtimeRuntimeUs: realtimeRuntimeUs(), obsoleteModels: await obsoleteModels(client) };
  const before = node.metadata.labels ?? {};
  const after = relabelled(before, hostLabels(sources));
  if (sameEntries(before, after)) return;
  await client.patch(paths.node(nodeName), 'json-patch', [
    { op: 'test', path: '/metadata/labels', value: before },
    { op: 'replace', path: '/metadata/labels', value: after },
  ]);
}

/** Does something again when its patch's test failed: somebody else changed the node in between. */
async function untilUnchanged(act: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await act();
      return;
    } catch (error) {
      if (!hasStatus(error, PATCH_TEST_FAILED) || attempt >= PATCH_TRIES) throw error;
    }
  }
}

async function obsoleteModels(client: KubeClient): Promise<ReadonlySet<string> | undefined> {
  interface KubeVirts {
    readonly items: readonly { spec?: { configuration?: { obsoleteCPUModels?: Record<string, unknown> } } }[];
  }
  const none: KubeVirts = { items: [] };
  const { items } = await client.get<KubeVirts>(paths.kubevirts).catch((error: unknown) => {
    if (hasStatus(error, 404)) return none;
    throw error;
  });
  const configured = items[0]?.spec?.configuration?.obsoleteCPUModels;
  return configured === undefined ? undefined : new Set(Object.keys(configured));
}

function realtimeRuntimeUs(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/sched_rt_runtime_us', 'utf8').trim();
  } catch {
    return undefined;
  }
}

function sameEntries(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
