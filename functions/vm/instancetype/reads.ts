import {
  ControllerRevision,
  VirtualMachineClusterInstancetype,
  VirtualMachineClusterPreference,
  VirtualMachineInstancetype,
  VirtualMachinePreference,
} from '../../core/kinds.ts';
import { byName } from '../../core/object-index.ts';
import type { VirtualMachine } from '../../core/objects.ts';
import { many } from '../../core/reads.ts';
import { newRevisionKeys, objectKeys, revisionKeys } from './lookups.ts';

/** What is looked at for a VM's instance type and preference; `lookups.ts` knows the names. */
export const instancetypeReads = {
  /** Revisions that keep them, and those of the VM's last start. */
  instancetypeRevisions: many(ControllerRevision).by<VirtualMachine>(byName, revisionKeys),
  /** The objects themselves, where no revision stands for them. */
  instancetypes: many(VirtualMachineInstancetype).by(byName, objectKeys(VirtualMachineInstancetype)),
  clusterInstancetypes: many(VirtualMachineClusterInstancetype).by(
    byName,
    objectKeys(VirtualMachineClusterInstancetype),
  ),
  preferences: many(VirtualMachinePreference).by(byName, objectKeys(VirtualMachinePreference)),
  clusterPreferences: many(VirtualMachineClusterPreference).by(byName, objectKeys(VirtualMachineClusterPreference)),
  /** Revisions of the names that new ones of these objects would get. */
  namesakes: many(ControllerRevision).by(byName, newRevisionKeys),
};
