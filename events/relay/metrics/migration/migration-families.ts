import { identityOf, type Sample, type ScrapedFamily } from '../scraped-family.ts';
import type { Migration } from './migration-kind.ts';

const running = ['Running', 'Scheduled', 'PreparingTarget', 'TargetReady', 'WaitingForSync', 'Synchronizing'];

/** The scrape metrics of migrations (runtime.md 12.5). `undefined`: this relay has nothing to tell. */
export function migrationFamilies(migrations: () => readonly Migration[] | undefined): readonly ScrapedFamily[] {
  const counted = (phase: string, help: string, ...phases: string[]): ScrapedFamily => ({
    name: `kubevirt_vmi_migrations_in_${phase}_phase`,
    help,
    type: 'gauge',
    samples: () => {
      const all = migrations();
      if (all === undefined) return [];
      return [{ labels: {}, value: all.filter((m) => phases.includes(m.status?.phase ?? '')).length }];
    },
  });
  const each = (result: 'succeeded' | 'failed', phase: string): ScrapedFamily => ({
    name: `kubevirt_vmi_migration_${result}`,
    help: `Migrations that have ${result}.`,
    type: 'gauge',
    samples: () => (migrations() ?? []).filter((m) => m.status?.phase === phase).map(seriesOf),
  });
  return [
    counted('pending', 'Migrations that wait for their turn.', 'Pending'),
    counted('scheduling', 'Migrations whose target pod is not there yet.', 'Scheduling'),
    counted('unset', 'Migrations that nobody has looked at yet.', ''),
    counted('running', 'Migrations under way.', ...running),
    each('succeeded', 'Succeeded'),
    each('failed', 'Failed'),
  ];
}

function seriesOf(migration: Migration): Sample<'vmi' | 'vmim' | 'namespace'> {
  const { namespace, name } = identityOf(migration);
  return { labels: { vmi: migration.spec?.vmiName ?? '', vmim: name, namespace }, value: 1 };
}
