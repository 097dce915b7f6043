import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KubeClient } from '../../../../infra/node/kube/client.ts';
import { EventRecorder } from '../../../../infra/node/kube/event-recorder.ts';
import { paths } from '../../../../infra/node/kube/paths.ts';
import { ApiServer } from '../api-server.ts';

let api: ApiServer;
let client: KubeClient;
let recorder: EventRecorder;
const log: string[] = [];
const vm = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'vm', uid: 'u' };
const MINUTES = 60_000;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  log.length = 0;
  api = new ApiServer();
  client = new KubeClient({ server: await api.listen(), skipVerification: false });
  recorder = new EventRecorder(client, 'kubelet', 'node-a', (line) => log.push(line));
});
afterEach(async () => {
  vi.useRealTimers();
  client.close();
  await api.close();
});
const tell = (message: string) => recorder.tell(vm, 'Warning', 'FailedMount', message);
const counts = () => api.events().map((event) => (event as { count?: number }).count);

test('what is said again and again is written once, and counted up while it lasts', async () => {
  for (let i = 0; i < 5; i++) await tell('none');
  expect(api.events()).toMatchObject([
    {
      involvedObject: vm,
      type: 'Warning',
      reason: 'FailedMount',
      message: 'none',
      source: { component: 'kubelet', host: 'node-a' },
      firstTimestamp: '1970-01-01T00:16:40Z',
    },
  ]);
  await tell('another');
  expect(counts()).toEqual([1, 1]);
  vi.setSystemTime(1_000_000 + 11 * MINUTES);
  await tell('none');
  await tell('none');
  expect(counts()).toEqual([2, 1]);
});

test('one that the API server has forgotten is written anew', async () => {
  await tell('none');
  const [key] = api.paths().filter((path) => path.includes('/events/'));
  api.delete(key ?? '');
  vi.setSystemTime(1_000_000 + 11 * MINUTES);
  await tell('none');
  expect(counts()).toEqual([1]);
});

test('an object without a namespace has its events in default; a message that is too long is cut', async () => {
  await recorder.tell({ apiVersion: 'v1', kind: 'PersistentVolume', name: 'pv' }, 'Normal', 'R', 'x'.repeat(2000));
  expect(api.paths()[0]).toContain(paths.events('default'));
  expect(api.events()[0]?.message).toHaveLength(1024);
});

test('an event that cannot be written is logged, and holds nothing up', async () => {
  await api.close();
  await tell('none');
  expect(log).toEqual([expect.stringContaining('Pod vm: no event FailedMount')]);
});
