/** Names for parts of a VMI, taken from its type. */
import type { VirtualMachineInstance } from '../core/objects.ts';

export type VmiSpec = VirtualMachineInstance['spec'];
export type VmiStatus = NonNullable<VirtualMachineInstance['status']>;
export type Volume = NonNullable<VmiSpec['volumes']>[number];
export type VolumeStatus = NonNullable<VmiStatus['volumeStatus']>[number];
export type ClaimInfo = NonNullable<VolumeStatus['persistentVolumeClaimInfo']>;
export type Network = NonNullable<VmiSpec['networks']>[number];
export type Interface = NonNullable<NonNullable<VmiSpec['domain']['devices']>['interfaces']>[number];
export type InterfaceStatus = NonNullable<VmiStatus['interfaces']>[number];
export type MigrationState = NonNullable<VmiStatus['migrationState']>;
