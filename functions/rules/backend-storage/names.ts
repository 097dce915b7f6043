/** Labels and names of backend storage (vmi.md 1.2, 9). */

/** Label of a claim: the name of the VMI whose state it holds. Claims of older versions bear no label, but a name that begins so. */
export const STATE_OF = 'persistent-state-for';
/** Label of a claim that the target of a migration is to use: the migration's name. */
export const MIGRATION_NAME = 'kubevirt.io/migrationName';
/** Label that has CDI complete a claim by its storage profile. */
export const APPLY_STORAGE_PROFILE = 'cdi.kubevirt.io/applyStorageProfile';
/** Name of the entry in a VMI's volume status. */
export const STATE_VOLUME = 'persistent-state-for-this-vm';
