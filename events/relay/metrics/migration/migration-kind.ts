import type { KubeObject } from '../../../../functions/core/objects.ts';

/** Migrations are measured as soon as some controller reads them; until then there are none. */
export const MIGRATION_KIND = 'VirtualMachineInstanceMigration';

export interface Migration extends KubeObject {
  readonly spec?: { readonly vmiName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly phaseTransitionTimestamps?: readonly {
      readonly phase?: string;
      readonly phaseTransitionTimestamp?: string;
    }[];
  };
}
