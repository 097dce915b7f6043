// Endless sync because desired and observed never compare equal (metacontroller issues 281, 386, 472 and others).
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../../functions/core/objects.ts';
import { smallVm, until } from '../e2e/support/cluster-player.ts';
import { usePlayedStack } from '../e2e/support/played-stack.ts';

const NAMESPACE = 'rest';
const KUBEVIRT = `/apis/kubevirt.io/v1/namespaces/${NAMESPACE}`;
/** Kinds that controllers write, events among them: one that is counted up is a write too. */
const WRITTEN = {
  virtualmachines: '/apis/kubevirt.io/v1',
  virtualmachineinstances: '/apis/kubevirt.io/v1',
  pods: '/api/v1',
  controllerrevisions: '/apis/apps/v1',
  events: '/api/v1',
} as const;
const used = usePlayedStack(NAMESPACE);

interface Vm {
  metadata: object;
  spec: { runStrategy: string; template: { metadata: object; spec: Record<string, unknown> & { domain: object } } };
}

function changed(name: string, change: (vm: Vm) => void): object {
  const vm = smallVm(name) as Vm;
  change(vm);
  return vm;
}

/** VMs written as users write them: what a server defaults, drops or writes otherwise is in each. */
const machines: readonly object[] = [
  smallVm('plain'),
  changed('empty-strings', ({ spec }) => {
    Object.assign(spec.template.spec, { hostname: '', subdomain: '', schedulerName: '', priorityClassName: '' });
    spec.template.metadata = { annotations: { empty: '' }, labels: { empty: '' } };
  }),
  changed('empty-collections', ({ spec }) => {
    Object.assign(spec.template.spec, { nodeSelector: {}, tolerations: [], affinity: {}, accessCredentials: [] });
    spec.template.metadata = { annotations: {}, labels: {} };
  }),
  changed('quantities', ({ spec }) => {
    Object.assign(spec.template.spec.domain, {
      cpu: { cores: 1, sockets: 2 },
      resources: { requests: { memory: '0.0625Gi', cpu: '0.1' }, limits: { memory: '131072Ki', cpu: '1000m' } },
    });
  }),
  changed('placement', ({ spec }) => {
    Object.assign(spec.template.spec, {
      terminationGracePeriodSeconds: 0,
      tolerations: [{ key: 'a', operator: 'Exists' }, { operator: 'Exists' }],
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { labelSelector: { matchLabels: { a: 'b' } }, topologyKey: 'k' } },
          ],
        },
      },
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['10.0.0.10'], options: [{ name: 'ndots', value: '2' }] },
    });
  }),
  changed('probes', ({ spec }) => {
    Object.assign(spec.template.spec, {
      readinessProbe: { tcpSocket: { port: 22 } },
      livenessProbe: { httpGet: { port: 80 }, initialDelaySeconds: 5 },
    });
  }),
  changed('cloud-init', ({ spec }) => {
    const volumes = [
      ...(spec.template.spec['volumes'] as object[]),
      { name: 'init', cloudInitNoCloud: { userData: '#cloud-config\n' } },
      { name: 'scratch', emptyDisk: { capacity: '64Mi' } },
    ];
    Object.assign(spec.template.spec, { volumes });
  }),
  changed('rerun', ({ spec }) => void (spec.runStrategy = 'RerunOnFailure')),
  changed('once', ({ spec }) => void (spec.runStrategy = 'Once')),
];
const STOPPED = ['Manual', 'Halted'];
const stopped = STOPPED.map((strategy) =>
  changed(strategy.toLowerCase(), ({ spec }) => void (spec.runStrategy = strategy)),
);
const instances = ['alone-1', 'alone-2'].map((name) => {
  const { spec } = smallVm(name) as Vm;
  return { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata: { name }, spec: spec.template.spec };
});

/** `<plural>/<name>` -> version, of everything that controllers write; of nodes their labels and annotations. */
async function versions(): Promise<Record<string, string | undefined>> {
  const found: Record<string, string | undefined> = {};
  for (const [plural, root] of Object.entries(WRITTEN)) {
    for (const { metadata } of await used.player.list<KubeObject>(plural, root))
      found[`${plural}/${metadata.name}`] = metadata.resourceVersion;
  }
  // Others write a node too, but not what the node controller writes of it.
  for (const { metadata } of (await used.stack.request('GET', '/api/v1/nodes')).items as KubeObject[])
    found[`nodes/${metadata.name}`] = JSON.stringify([metadata.labels, metadata.annotations]);
  return found;
}

/** The relay of this stack, known by its kubeconfig. */
function relayPid(): number | undefined {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const line = readFileSync(`/proc/${entry}/cmdline`, 'utf8');
      if (line.includes('dist/relay/index.mjs') && line.includes(used.stack.kubeconfig)) return Number(entry);
    } catch {
      // It has ended.
    }
  }
  return undefined;
}

async function transitions(): Promise<number> {
  const lease = await used.stack.request(
    'GET',
    '/apis/coordination.k8s.io/v1/namespaces/kubevirt/leases/virt-controller',
  );
  const { holderIdentity, leaseTransitions } = lease['spec'] as { holderIdentity?: string; leaseTransitions?: number };
  return (holderIdentity ?? '') === '' ? -1 : (leaseTransitions ?? 0);
}

async function running(names: readonly string[]): Promise<boolean> {
  const vms = await used.player.list<VirtualMachine>('virtualmachines');
  const vmis = await used.player.list<VirtualMachineInstance>('virtualmachineinstances');
  return names.every((name) => {
    const vm = vms.find((v) => v.metadata.name === name);
    const vmi = vmis.find((v) => v.metadata.name === name);
    return vmi?.status?.phase === 'Running' && (vm === undefined || vm.status?.printableStatus === 'Running');
  });
}

const nameOf = (object: object) => (object as KubeObject).metadata.name;

async function quiet(): Promise<Record<string, string | undefined>> {
  for (let last = await versions(); ; ) {
    await sleep(3_000);
    const now = await versions();
    if (JSON.stringify(now) === JSON.stringify(last)) return now;
    last = now;
  }
}

test.runIf(process.platform === 'linux')(
  'everything runs, then nothing is written any more, however often every key is visited',
  async () => {
    for (const vm of [...machines, ...stopped]) await used.stack.request('POST', `${KUBEVIRT}/virtualmachines`, vm);
    for (const vmi of instances) await used.stack.request('POST', `${KUBEVIRT}/virtualmachineinstances`, vmi);
    const names = [...machines, ...instances].map(nameOf);
    await until('all running', () => running(names));
    const before = await quiet();
    expect(Object.keys(before).length).toBeGreaterThan(names.length * 2);

    for (let visit = 1; visit <= 3; visit++) {
      const led = await transitions();
      const pid = relayPid();
      if (pid === undefined) throw new Error('no relay');
      // What comes in its place lists everything, and visits every key.
      process.kill(pid, 'SIGTERM');
      await until('the next one leads', async () => (await transitions()) > led);
      // Its key is the last of them, so that all others have been visited when it runs.
      const witness = `witness-${visit}`;
      await used.stack.request('POST', `${KUBEVIRT}/virtualmachines`, smallVm(witness));
      await until('a new VM runs', () => running([witness]));
      const after = await quiet();
      expect(Object.fromEntries(Object.keys(before).map((name) => [name, after[name]]))).toEqual(before);
      const added = Object.keys(after).filter((name) => !(name in before));
      expect(added.filter((name) => !name.includes(witness) && !name.startsWith('controllerrevisions/'))).toEqual([]);
      Object.assign(before, after);
    }
  },
);
