import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  LAST_VSOCK_ID,
  releaseVsockId,
  takeVsockId,
  vsockIdsFrom,
  vsockStart,
} from '../../../functions/store/vsock-ids.ts';
import { type LocalTable, startLocalTable } from '../support/local-table.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

describe('where the search goes', () => {
  test('vmi case 119: after 4294967295 comes 3; when all are taken there is no next one', () => {
    const [drawn, next] = vsockIdsFrom(LAST_VSOCK_ID);
    expect([drawn, next]).toEqual([4294967295, 3]);
    expect([...vsockIdsFrom(5, { first: 3, last: 6 })]).toEqual([5, 6, 3, 4]);
  });

  test('it begins at a number that is as good as random, and never below 3', () => {
    const starts = Array.from({ length: 1000 }, (_, i) => vsockStart(`uid-${i}`));
    expect(new Set(starts).size).toBe(1000);
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(3);
    expect(Math.max(...starts)).toBeLessThanOrEqual(LAST_VSOCK_ID);
    expect(Math.max(...starts)).toBeGreaterThan(2 ** 31);
    expect(vsockStart('uid-1')).toBe(starts[1]);
  });
});

const take = (id: number, holder: string, holders = [holder]) => takeVsockId(table, 'c', id, { holder, holders });

test('an id is one holder’s, until it is given back', async () => {
  expect(await take(10, 'a')).toBe('ours');
  expect(await take(10, 'a')).toBe('ours');
  expect(await take(10, 'b')).toBe('taken');
  await releaseVsockId(table, 'c', 10, ['b']);
  expect(await take(10, 'b')).toBe('taken');
  await releaseVsockId(table, 'c', 10, ['a']);
  expect(await take(10, 'b')).toBe('ours');
});

test('an id passes from one holder to the next; the former one can not give it back then', async () => {
  await take(20, 'a');
  expect(await take(20, 'b', ['a', 'b'])).toBe('ours');
  await releaseVsockId(table, 'c', 20, ['a']);
  expect(await take(20, 'x')).toBe('taken');
});

test('of those who race for an id, one gets it', async () => {
  const results = await Promise.all(Array.from({ length: 20 }, (_, i) => take(30, `h${i}`)));
  expect(results.filter((r) => r === 'ours')).toHaveLength(1);
});

test('clusters have ids of their own', async () => {
  await take(40, 'a');
  expect(await takeVsockId(table, 'other', 40, { holder: 'b', holders: ['b'] })).toBe('ours');
});
