/** Invariant 4 of the design on a whole stack: cloud-init reaches the guest, and nothing outside the cluster. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ControllerRevision, VirtualMachine, VirtualMachineInstance } from '../../functions/core/objects.ts';
import { ClusterPlayer, smallVm, until } from './support/cluster-player.ts';
import { type RecordedStack, startRecordedStack } from './support/recorded-stack.ts';

const run = promisify(execFile);
const CANARY = 'canary-5f1d9';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
let stack: RecordedStack;
let player: ClusterPlayer;

beforeAll(async () => {
  stack = await startRecordedStack();
  player = new ClusterPlayer(stack.controlPlane.request, 'secrets');
  await player.start();
});
afterAll(async () => {
  await player?.stop();
  await stack?.stop();
  rmSync(folder, { recursive: true });
});

type Applied = { metadata: object; spec: { template: { spec: Record<string, unknown> & { volumes: object[] } } } };

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A VM as a user writes it, with every member that holds a secret; `1024Mi` makes the first PUT re-spell it. */
function machine(userData: string): Applied {
  const vm = smallVm('vm') as Applied;
  const { spec } = vm.spec.template;
  spec.volumes.push(
    { name: 'config', cloudInitNoCloud: { userData, networkData: `version: 2 # ${CANARY}-n` } },
    {
      name: 'drive',
      cloudInitConfigDrive: { userDataBase64: base64(`${CANARY}-b`), networkDataBase64: base64(`${CANARY}-nb`) },
    },
  );
  (spec['domain'] as { resources: object }).resources = { requests: { memory: '1024Mi' } };
  return vm;
}

async function apply(vm: object): Promise<void> {
  const file = join(folder, 'vm.json');
  writeFileSync(file, JSON.stringify(vm));
  await run(stack.controlPlane.kubectlPath, ['--namespace', 'secrets', 'apply', '-f', file]);
}

async function theVm(): Promise<VirtualMachine | undefined> {
  return (await player.list<VirtualMachine>('virtualmachines'))[0];
}

const first = `#cloud-config\npassword: ${CANARY}-first\n`;
const second = `#cloud-config\npassword: ${CANARY}-second\n`;

test('a VM with cloud-init runs with what its user wrote, and keeps what kubectl wrote', async () => {
  const wanted = machine(first);
  await apply(wanted);
  await until('running', async () => (await theVm())?.status?.printableStatus === 'Running');
  const vm = await theVm();
  const { volumes } = wanted.spec.template.spec;
  expect(vm?.metadata.annotations?.['kubevirt.io/latest-observed-api-version']).toBe('v1');
  expect(JSON.parse(vm?.metadata.annotations?.[LAST_APPLIED] ?? '')).toMatchObject({ spec: wanted.spec });
  expect(vm?.spec.template.spec?.volumes).toEqual(volumes);
  const [vmi] = await player.list<VirtualMachineInstance>('virtualmachineinstances');
  expect(vmi?.spec.volumes).toEqual(volumes);
  const [revision] = await player.list<ControllerRevision>('controllerrevisions', '/apis/apps/v1');
  expect(revision?.data).toMatchObject({ spec: { template: { spec: { volumes } } } });
});

test('changed cloud-init asks for a restart, and is there after it', async () => {
  expect((await theVm())?.status?.conditions?.map((c) => c.type)).not.toContain('RestartRequired');
  await apply(machine(second));
  const asksForRestart = async () =>
    (await theVm())?.status?.conditions?.some((c) => c.type === 'RestartRequired') ?? false;
  await until('a restart is asked for', asksForRestart);
  const path = '/apis/kubevirt.io/v1/namespaces/secrets/virtualmachineinstances/vm';
  await stack.controlPlane.request('DELETE', path);
  await until('running anew', async () => {
    const [vmi] = await player.list<VirtualMachineInstance>('virtualmachineinstances');
    return vmi?.status?.phase === 'Running' && JSON.stringify(vmi.spec).includes(`${CANARY}-second`);
  });
  await until('no restart is asked for', async () => !(await asksForRestart()));
});

test('no secret was on the wire, is in the table, or in a log', async () => {
  const wire = stack.wire.join('\n');
  const table = await stack.table();
  const logs = stack.logs();
  for (const member of ['userData', 'userDataBase64', 'networkData', 'networkDataBase64'])
    expect(wire).toMatch(new RegExp(`"${member}":"sealed:[\\w-]{43}"`));
  expect(wire).toContain(`"${LAST_APPLIED}":"sealed:`);
  expect(table).toContain('secrets/vm');
  expect(logs).toContain('leading');
  for (const text of [wire, table, logs]) {
    expect(text.includes(CANARY)).toBe(false);
    // Any of its forms: base64 of its three alignments.
    for (const pad of ['', 'x', 'xx']) expect(text.includes(base64(`${pad}${CANARY}`).slice(4, -4))).toBe(false);
    expect(text.includes('not allowed')).toBe(false);
  }
});
