import type { Sources } from '../../rules/instancetype/find.ts';
import type { Pass } from '../pass.ts';

/** What the snapshot has of instance types, preferences and their revisions. */
export function sourcesOf({ reads }: Pick<Pass, 'reads'>): Sources {
  return {
    instancetypes: [...reads.instancetypes, ...reads.clusterInstancetypes],
    preferences: [...reads.preferences, ...reads.clusterPreferences],
    revisions: reads.instancetypeRevisions,
  };
}
