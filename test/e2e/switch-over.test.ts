/**
 * From virt-controller to the functions and back, on a real API server: manifests applied, relays run as the accounts that they make,
 * with the rights that they give, beside a stand-in that holds virt-controller's Lease.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseRelayFlags } from '../../events/relay/flags.ts';
import type { ShadowReport } from '../../events/relay/shadow/shadow.ts';
import type { Pod, VirtualMachine, VirtualMachineInstance } from '../../functions/core/objects.ts';
import { ROOT } from '../../infra/build/project.ts';
import { type ControlPlane, startControlPlane } from '../../infra/local/control-plane/start-control-plane.ts';
import { installCrds } from '../../infra/local/crds/install-crds.ts';
import { installKubeVirt } from '../../infra/local/crds/install-kubevirt.ts';
import { type JsonObject, mergePatch } from '../../infra/local/kube-client.ts';
import { makePrivateFolder } from '../../infra/local/paths.ts';
import { Supervisor } from '../../infra/local/processes/supervisor.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../infra/local/stack/embedded-table.ts';
import { startFunctions } from '../../infra/local/stack/functions.ts';
import { ClusterPlayer, smallVm, until } from './support/cluster-player.ts';
import { Original } from './support/original.ts';
import { kubeconfigOf, type RelayProgram, startRelayProgram } from './support/relay-program.ts';

const NAMESPACE = 'switch-over';
const SIGNING_KEYS = 'k'.repeat(32);
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kubevirt/leases/virt-controller';
const VMS = `/apis/kubevirt.io/v1/namespaces/${NAMESPACE}/virtualmachines`;
const INSTANCES = `/apis/kubevirt.io/v1/namespaces/${NAMESPACE}/virtualmachineinstances`;
/** Shorter than in earnest, so that nobody waits long. */
const TIMING = { durationMs: 4_000, renewDeadlineMs: 3_000, retryMs: 500 };
const TIMING_ARGS = [
  '--leader-elect-lease-duration=4s',
  '--leader-elect-renew-deadline=3s',
  '--leader-elect-retry-period=500ms',
];

const dataDir = mkdtempSync(join(tmpdir(), 'switch-over-'));
const relays: RelayProgram[] = [];
const originals: Original[] = [];
let supervisor: Supervisor;
let controlPlane: ControlPlane;
let table: EmbeddedTable;
let player: ClusterPlayer;
let functionsUrl: string;
/** Of the accounts of relays. */
let shadowConfig: string;
let leadConfig: string;

const overlay = (name: string) => join(ROOT, 'infra/kubernetes/overlays', name);
const kubectl = (...args: string[]) => promisify(execFile)(controlPlane.kubectlPath, args);

beforeAll(async () => {
  makePrivateFolder(join(dataDir, 'logs'));
  supervisor = new Supervisor(join(dataDir, 'logs'));
  const options = { dataDir, scheduler: false, controllerManager: true, durable: false, supervisor };
  controlPlane = await startControlPlane(options);
  const { request } = controlPlane;
  await installCrds(request);
  await installKubeVirt(request, { useEmulation: false });
  // Stricter than in earnest, where KubeVirt's own pods are privileged.
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await request('PATCH', '/api/v1/namespaces/kubevirt', { metadata: { labels } }, mergePatch);
  for (const name of ['shadow', 'lead', 'standalone'])
    await kubectl('apply', '--server-side', '--validate=strict', '-k', overlay(name));
  shadowConfig = await kubeconfigOf('virt-functions-shadow-relay', controlPlane.kubeconfigPath, request);
  leadConfig = await kubeconfigOf('kubevirt-controller', controlPlane.kubeconfigPath, request);
  table = await startEmbeddedTable(undefined);
  const environment = { ...table.environment, VIRT_FUNCTIONS_SIGNING_KEYS: SIGNING_KEYS };
  functionsUrl = (await startFunctions(supervisor, environment, () => undefined)).url;
  player = new ClusterPlayer(request, NAMESPACE);
  await player.start();
});

afterAll(async () => {
  await player?.stop();
  await supervisor?.stop();
  await table?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

afterEach(async () => {
  for (const relay of relays.splice(0)) relay.process.kill('SIGKILL');
  for (const original of originals.splice(0)) await original.end();
});

function startOriginal(identity: string): Original {
  const original = new Original(controlPlane.kubeconfigPath, identity, TIMING);
  originals.push(original);
  return original;
}

async function startRelay(kubeconfig: string, ...args: string[]): Promise<RelayProgram> {
  const relay = await startRelayProgram({ kubeconfig, functionsUrl, signingKeys: SIGNING_KEYS, args });
  relays.push(relay);
  return relay;
}

const startShadow = (...args: string[]) => startRelay(shadowConfig, '--mode=shadow', ...args);
const startLead = (identity: string) => startRelay(leadConfig, `--identity=${identity}`, ...TIMING_ARGS);

async function endOf(relay: RelayProgram): Promise<void> {
  relay.process.kill('SIGTERM');
  expect(await relay.exited).toBe(0);
}

const create = (name: string) => controlPlane.request('POST', VMS, smallVm(name));
async function createInstance(name: string): Promise<VirtualMachineInstance> {
  const vm = smallVm(name) as unknown as VirtualMachine;
  const instance = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name },
    spec: vm.spec.template?.spec,
  };
  return (await controlPlane.request('POST', INSTANCES, instance)) as unknown as VirtualMachineInstance;
}
const vmNamed = async (name: string) =>
  (await controlPlane.request('GET', `${VMS}/${name}`)) as unknown as VirtualMachine;
const hasStatus = (name: string, status: string) =>
  until(`${name} ${status}`, async () => (await vmNamed(name)).status?.printableStatus === status);
const lease = async () =>
  (await controlPlane.request('GET', LEASE)) as unknown as {
    spec: { holderIdentity: string; renewTime: string; acquireTime: string };
  };

describe('the manifests', () => {
  test.each(['shadow', 'lead', 'standalone'])('%s: the server has them as they are written', async (name) => {
    const { stdout } = await kubectl('diff', '--server-side', '-k', overlay(name)).catch((e: { stdout: string }) => e);
    // The standalone overlay speaks plain HTTP, and was applied last.
    if (name === 'lead') expect(stdout).toContain('scheme: HTTPS');
    else expect(stdout).toBe('');
  });

  test.each([
    ['virt-functions-shadow-relay', 'shadow'],
    ['virt-controller-functions-relay', 'lead'],
  ])('%s starts a relay with flags that it knows', async (name, mode) => {
    const deployment = await controlPlane.request('GET', `/apis/apps/v1/namespaces/kubevirt/deployments/${name}`);
    const { template } = (deployment as unknown as { spec: { template: Pod } }).spec;
    const [container] = template.spec.containers;
    expect(parseRelayFlags(container?.args ?? [])).toMatchObject({ type: 'options', options: { mode } });
  });

  test('their pods keep to the restricted standard, and are held by budget and policy', async () => {
    const relayPods = async () =>
      (await controlPlane.request('GET', '/api/v1/namespaces/kubevirt/pods')).items as Pod[];
    await until('pods of both relays', async () => {
      const pods = await relayPods();
      return ['shadow', 'lead'].every((i) => pods.some((p) => p.metadata.labels?.['app.kubernetes.io/instance'] === i));
    });
    const { items } = await controlPlane.request(
      'GET',
      '/apis/networking.k8s.io/v1/namespaces/kubevirt/networkpolicies',
    );
    const { items: budgets } = await controlPlane.request(
      'GET',
      '/apis/policy/v1/namespaces/kubevirt/poddisruptionbudgets',
    );
    const selectors = [
      ...(items as { spec: { podSelector: JsonObject } }[]).map(({ spec }) => spec.podSelector),
      ...(budgets as { spec: { selector: JsonObject } }[]).map(({ spec }) => spec.selector),
    ];
    expect(selectors).toHaveLength(3);
    // An empty one would be about all of KubeVirt.
    for (const selector of selectors)
      expect(selector).toMatchObject({ matchLabels: { 'app.kubernetes.io/name': 'virt-functions' } });
  });
});

describe('shadow', () => {
  test('agrees with whoever does the same, and writes nothing', async () => {
    const leader = await startLead('virt-controller-0');
    await leader.says('"leading"');
    const shadow = await startShadow();
    await shadow.says('"shadowing"');
    const names = Array.from({ length: 8 }, (_, i) => `same-${i}`);
    for (const name of names) await create(name);
    for (const name of names) await hasStatus(name, 'Running');
    for (const name of names.slice(0, 4))
      await controlPlane.request('PATCH', `${VMS}/${name}`, { spec: { runStrategy: 'Halted' } }, mergePatch);
    for (const name of names.slice(0, 4)) await hasStatus(name, 'Stopped');
    await until('all is judged', async () => (await shadow.shadow<ShadowReport>()).openWrites === 0);
    const report = await shadow.shadow<ShadowReport>();
    expect(report.differences).toEqual([]);
    expect(report.leader).toBe('virt-controller-0');
    const agreed = (kind: string) =>
      report.writes.filter((w) => w.judgement === 'agreed' && w.kind === kind).reduce((sum, w) => sum + w.count, 0);
    // Of each; on a busy machine the leader may be quicker than the shadow can look.
    for (const kind of ['Pod', 'VirtualMachineInstance']) expect(agreed(kind), kind).toBeGreaterThan(0);
    expect(agreed('VirtualMachine')).toBeGreaterThan(0);
    const requests = (await shadow.metrics()).filter((line) => line.startsWith('kubevirt_rest_client_requests_total'));
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter((line) => !line.includes('method="GET"'))).toEqual([]);
    // Neither has asked for anything that its roles do not give.
    for (const relay of [shadow, leader])
      expect((await relay.metrics()).filter((line) => line.includes('code="403"'))).toEqual([]);
    await endOf(leader);
    await endOf(shadow);
  });

  test('tells what the leader does not do, and what it does otherwise, without any value', async () => {
    const original = startOriginal('virt-controller-1');
    await original.lead();
    const shadow = await startShadow('--shadow-patience=2s');
    await shadow.says('"shadowing"');
    await createInstance('ignored');
    const { metadata } = await createInstance('otherwise');
    // The shadow has to have decided first.
    await until('pods are wanted', async () => (await shadow.shadow<ShadowReport>()).openWrites >= 4);
    const owner = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      name: 'otherwise',
      uid: metadata.uid,
    };
    await controlPlane.request('POST', `/api/v1/namespaces/${NAMESPACE}/pods`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: 'virt-launcher-otherwise-',
        labels: { 'kubevirt.io': 'virt-launcher' },
        ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
      },
      spec: { containers: [{ name: 'compute', image: 'registry.example/a-secret-place' }] },
    });
    const differencesOf = async (key: string) =>
      (await shadow.shadow<ShadowReport>()).differences.filter((d) => d.key === `${NAMESPACE}/${key}`);
    await until('differences', async () => {
      const [ignored, otherwise] = [await differencesOf('ignored'), await differencesOf('otherwise')];
      return ignored.length > 0 && otherwise.some((d) => d.target.kind === 'Pod');
    });
    for (const difference of await differencesOf('ignored'))
      expect(difference).toMatchObject({ judgement: 'missing', standing: true });
    const pod = (await differencesOf('otherwise')).find((d) => d.target.kind === 'Pod');
    expect(pod).toMatchObject({
      judgement: 'different',
      paths: expect.arrayContaining(['/spec/containers/compute/image']) as string[],
    });
    await endOf(shadow);
    // At its end it tells the same to whoever reads its output.
    const last = shadow.stdout().trim().split('\n').at(-1) ?? '';
    const { state, report } = JSON.parse(last) as { state: string; report: ShadowReport };
    expect([state, report.differences.length > 1]).toEqual(['shadowed', true]);
    expect(last).not.toContain('a-secret-place');
  });
});

test('the Lease goes from virt-controller to a relay and back, and nobody acts without it', async () => {
  const original = startOriginal('virt-controller-2');
  await original.lead();
  const relay = await startLead('functions');
  await until('the relay waits', () => relay.stderr().includes('held by virt-controller-2'));
  const renewals = new Set<string>();
  await create('handed-over');
  await until('six renewals', async () => renewals.add((await lease()).spec.renewTime).size > 6);
  // The relay had all that time, and has not touched it.
  expect((await vmNamed('handed-over')).status?.printableStatus ?? 'Stopped').toBe('Stopped');
  expect((await vmNamed('handed-over')).metadata.finalizers).toBeUndefined();
  const { renewTime } = (await lease()).spec;
  await original.end();
  await relay.says('"leading"');
  const taken = (await lease()).spec;
  expect(taken.holderIdentity).toBe('functions');
  expect(Date.parse(taken.acquireTime) - Date.parse(renewTime)).toBeGreaterThanOrEqual(TIMING.durationMs);
  await hasStatus('handed-over', 'Running');

  const back = startOriginal('virt-controller-3');
  const leads = back.lead();
  await endOf(relay);
  await leads;
  expect((await lease()).spec.holderIdentity).toBe('virt-controller-3');
  // It was given, not left to run out: the relay stopped before it wrote that.
  expect(relay.stderr()).not.toContain('leadership lost');
  const { items } = (await controlPlane.request('GET', INSTANCES)) as unknown as { items: VirtualMachineInstance[] };
  expect(items.find((i) => i.metadata.name === 'handed-over')?.status?.phase).toBe('Running');
});
