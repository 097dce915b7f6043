import type { KubeObject } from '../../core/objects.ts';

/** What rendering looks at in a VirtualMachineInstanceMigration. */
export interface Migration {
  readonly metadata: Pick<KubeObject['metadata'], 'name' | 'namespace' | 'uid' | 'annotations'>;
  readonly spec: { readonly addedNodeSelector?: Readonly<Record<string, string>> };
  readonly status?: { readonly migrationState?: { readonly targetPersistentStatePVCName?: string } };
}
