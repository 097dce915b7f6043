import type { KubeObject } from '../../../../functions/core/objects.ts';
import { identityOf, type ScrapedFamily, unixSeconds } from '../scraped-family.ts';

/** Snapshots are measured as soon as some controller reads them; until then there are none. */
export const SNAPSHOT_KIND = 'VirtualMachineSnapshot';

export interface Snapshot extends KubeObject {
  readonly spec?: { readonly source?: { readonly name?: string } };
  readonly status?: { readonly phase?: string; readonly creationTime?: string };
}

/**
 * `kubevirt_vmsnapshot_succeeded_timestamp_seconds` (runtime.md 12.4). The original never removes a series; here it goes with its
 * snapshot.
 */
export function snapshotFamily(snapshots: () => readonly Snapshot[]): ScrapedFamily {
  return {
    name: 'kubevirt_vmsnapshot_succeeded_timestamp_seconds',
    help: 'When a snapshot was taken that has succeeded.',
    type: 'gauge',
    samples: () =>
      snapshots().flatMap((snapshot) => {
        const value = snapshot.status?.phase === 'Succeeded' ? unixSeconds(snapshot.status.creationTime) : undefined;
        if (value === undefined) return [];
        const { namespace, name } = identityOf(snapshot);
        return [{ labels: { name: snapshot.spec?.source?.name ?? '', snapshot_name: name, namespace }, value }];
      }),
  };
}
