import { expect, test } from 'vitest';
import type { LeaseAnswer, LeaseRequest } from '../../../events/envelope/envelope.ts';
import { DEFAULT_TIMING } from '../../../events/relay/leadership/lease-keeper.ts';
import { TableLease } from '../../../events/relay/leadership/table-lease.ts';
import { VirtualTime } from './support/virtual-time.ts';

test('keys to be visited are passed on once per list, and the list is acknowledged', async () => {
  const granted = { version: 1, type: 'granted', token: 1, renewedAtMs: 0, durationMs: 15_000 } as const;
  const listed = { ...granted, visit: ['*', 'vm/ns/a'], visitMark: 7 };
  const answers: LeaseAnswer[] = [
    { ...granted, visit: [] },
    listed,
    listed,
    { ...granted, visit: [] },
    { ...listed, visit: ['vm/ns/b'], visitMark: 9 },
  ];
  const sent: LeaseRequest[] = [];
  const client = {
    lease: async (request: LeaseRequest) => {
      sent.push(request);
      return answers[sent.length - 1] as LeaseAnswer;
    },
  };
  const visits: (readonly string[])[] = [];
  const lease = new TableLease(client, 'c', DEFAULT_TIMING, new VirtualTime().ports, (visit) => visits.push(visit));
  await lease.acquire();
  for (let i = 0; i < 4; i++) await lease.renew();
  expect(visits).toEqual([['*', 'vm/ns/a'], ['vm/ns/b']]);
  const marks = sent.map((request) => (request.action === 'renew' ? request.visitMark : undefined));
  expect(marks).toEqual([undefined, undefined, 7, 7, 7]);
});
