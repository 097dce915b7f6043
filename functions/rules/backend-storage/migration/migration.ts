/** What the rules of this folder look at in a migration. */
export interface StateMigration {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid?: string };
  readonly spec: { readonly vmiName?: string; readonly sendTo?: object; readonly receive?: object };
  readonly status?: {
    readonly migrationState?: {
      readonly sourcePersistentStatePVCName?: string;
      readonly targetPersistentStatePVCName?: string;
    };
  };
}

/** Two VMIs take part, this one as one side only. */
export function isDecentralized({ spec }: StateMigration): boolean {
  return (spec.sendTo === undefined) !== (spec.receive === undefined);
}
