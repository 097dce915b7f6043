/** Annotations, finalizers and condition types that this controller reads or writes. */

export const annotation = {
  latestObservedApiVersion: 'kubevirt.io/latest-observed-api-version',
  storageObservedApiVersion: 'kubevirt.io/storage-observed-api-version',
  vmGeneration: 'kubevirt.io/vm-generation',
  /** On a VMI: it waits for a guest from another cluster. */
  createMigrationTarget: 'kubevirt.io/create-migration-target',
  /** On a VM: what its run strategy becomes when its guest has come. */
  restoreRunStrategy: 'kubevirt.io/restore-run-strategy',
  /** On a VMI: how its devices are laid out; kept in the template. */
  pciTopologyVersion: 'kubevirt.io/pci-topology-version',
  pciInterfaceSlotCount: 'kubevirt.io/pci-interface-slot-count',
  /** On the claim of a memory dump: the file that holds it, or that it has failed. */
  memoryDump: 'kubevirt.io/memory-dump',
} as const;

export const finalizer = {
  /** On VMs and on their VMIs. */
  controller: 'kubevirt.io/virtualMachineControllerFinalize',
  /** Set by the API server when a VM is deleted without its dependents. */
  orphan: 'orphan',
} as const;

export const condition = {
  ready: 'Ready',
  failure: 'Failure',
  restartRequired: 'RestartRequired',
  manualRecoveryRequired: 'ManualRecoveryRequired',
  volumesChange: 'VolumesChange',
} as const;
