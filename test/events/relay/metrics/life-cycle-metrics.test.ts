import { expect, test } from 'vitest';
import { Scrape } from '../support/scrape.ts';

const T0 = Date.parse('2026-12-01T00:00:00Z');
const at = (seconds: number) => new Date(T0 + seconds * 1000).toISOString();

type Stamps = Readonly<Record<string, number>>;

function vmi(phase: string | undefined, stamps: Stamps = {}, metadata: object = {}) {
  const phaseTransitionTimestamps = Object.entries(stamps).map(([p, seconds]) => ({
    phase: p,
    phaseTransitionTimestamp: at(seconds),
  }));
  return {
    metadata: { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '1', creationTimestamp: at(0), ...metadata },
    spec: { domain: {} },
    status: { ...(phase === undefined ? {} : { phase }), phaseTransitionTimestamps },
  };
}

const transition = 'kubevirt_vmi_phase_transition_time_seconds';
const fromCreation = 'kubevirt_vmi_phase_transition_time_from_creation_seconds';
const fromDeletion = 'kubevirt_vmi_phase_transition_time_from_deletion_seconds';

test('runtime case 75: from one phase to the next, and from the creation', async () => {
  const s = new Scrape({ vmi: [vmi('Pending', { Pending: 10 })] });
  s.change('vmi', vmi('Scheduling', { Pending: 10, Scheduling: 12 }));
  expect(await s.of(`${transition}_sum`)).toEqual([
    { labels: { phase: 'Scheduling', last_phase: 'Pending' }, value: 2 },
  ]);
  expect(await s.of(`${fromCreation}_sum`)).toEqual([{ labels: { phase: 'Scheduling' }, value: 12 }]);
  expect(await s.of(`${fromDeletion}_count`)).toEqual([]);
});

test('runtime case 76: the first phase is measured from the creation', async () => {
  const s = new Scrape({ vmi: [vmi(undefined)] });
  s.change('vmi', vmi('Pending', { Pending: 3 }));
  expect(await s.of(`${transition}_sum`)).toEqual([{ labels: { phase: 'Pending', last_phase: '' }, value: 3 }]);
});

test('runtime case 77: a phase without a stamp is not observed', async () => {
  const s = new Scrape({ vmi: [vmi('Pending', { Pending: 3 })] });
  s.change('vmi', vmi('Scheduling', { Pending: 3 }));
  expect(await s.of(`${transition}_count`)).toEqual([]);
  expect(await s.of(`${fromCreation}_count`)).toEqual([]);
});

test('runtime case 78: stamps out of order count as 0', async () => {
  const s = new Scrape({ vmi: [vmi('Pending', { Pending: 30 })] });
  s.change('vmi', vmi('Scheduling', { Pending: 30, Scheduling: 12 }));
  expect(await s.of(`${transition}_sum`)).toEqual([
    { labels: { phase: 'Scheduling', last_phase: 'Pending' }, value: 0 },
  ]);
});

test('runtime case 79: the end of a VMI that is being deleted is measured from the deletion, once', async () => {
  const deleted = { deletionTimestamp: at(20) };
  const s = new Scrape({ vmi: [vmi('Running', { Running: 10 }, deleted)] });
  s.change('vmi', vmi('Failed', { Running: 10, Failed: 26 }, deleted));
  s.change('vmi', vmi('Failed', { Running: 10, Failed: 26 }, { ...deleted, labels: { a: 'b' } }));
  expect(await s.of(`${fromDeletion}_sum`)).toEqual([{ labels: { phase: 'Failed' }, value: 6 }]);
  expect(await s.of(`${fromDeletion}_count`)).toEqual([{ labels: { phase: 'Failed' }, value: 1 }]);
});

test('a relay that does not lead observes nothing', async () => {
  const s = new Scrape({ vmi: [vmi('Pending', { Pending: 10 })] });
  s.leading = false;
  s.change('vmi', vmi('Scheduling', { Pending: 10, Scheduling: 12 }));
  expect(await s.of(`${transition}_count`)).toEqual([]);
});

test('phases of migrations are measured from their creation', async () => {
  const s = new Scrape({ migration: [vmi('Pending', { Pending: 1 })] });
  s.change('migration', vmi('Scheduling', { Pending: 1, Scheduling: 5 }));
  expect(await s.of('kubevirt_vmi_migration_phase_transition_time_from_creation_seconds_sum')).toEqual([
    { labels: { phase: 'Scheduling' }, value: 5 },
  ]);
});
