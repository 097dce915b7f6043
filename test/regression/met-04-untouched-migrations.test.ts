// Migrations that nobody had looked at yet were counted as failed (kubevirt PR 14426).
import { expect, test } from 'vitest';
import { Scrape } from '../events/relay/support/scrape.ts';

test.each([undefined, {}, { phase: '' }])('a migration with the status %o is unset, not failed', async (status) => {
  const metadata = { name: 'm', namespace: 'ns', uid: 'm', resourceVersion: '1' };
  const s = new Scrape({
    migration: [{ metadata, spec: { vmiName: 'a' }, ...(status === undefined ? {} : { status }) }],
  });
  expect(await s.of('kubevirt_vmi_migrations_in_unset_phase')).toEqual([{ labels: {}, value: 1 }]);
  expect(await s.of('kubevirt_vmi_migrations_in_pending_phase')).toEqual([{ labels: {}, value: 0 }]);
  expect(await s.of('kubevirt_vmi_migration_failed')).toEqual([]);
});
