import { gateEnabled } from '../core/configuration/feature-gates.ts';
import { type LabelSelector, selectorMatches } from '../core/label-selector.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../core/objects.ts';
import type { Pass } from './pass.ts';

/** States of `status.changedBlockTracking` of VM and VMI (vm.md 12.9). */
const state = {
  none: '',
  pendingRestart: 'PendingRestart',
  initializing: 'Initializing',
  enabled: 'Enabled',
  disabled: 'Disabled',
  gateDisabled: 'IncrementalBackupFeatureGateDisabled',
} as const;

type Tracking = NonNullable<VirtualMachine['status']>['changedBlockTracking'];

interface Facts {
  readonly isGateOn: boolean;
  readonly matches: boolean;
  /** State of the VMI; `undefined`: there is none. */
  readonly instance: string | undefined;
}

/** `status.changedBlockTracking` of the VM after this pass. */
export function nextTracking(pass: Pass, vm: VirtualMachine): Tracking {
  const old = vm.status?.changedBlockTracking;
  const { instance } = pass;
  const next = nextState(old?.state ?? state.none, {
    isGateOn: isGateOn(pass),
    matches: isTracked(pass),
    instance: instance && (instance.status?.changedBlockTracking?.state ?? state.none),
  });
  if (next === 'removed') return undefined;
  return next === (old?.state ?? state.none) ? old : { ...old, state: next };
}

/** What a VMI is told at its creation (vm.md 12.9, "On VMI creation"). */
export function withTracking(pass: Pass, instance: VirtualMachineInstance): VirtualMachineInstance {
  if (!isGateOn(pass)) return instance;
  const isKnown = (pass.vm.status?.changedBlockTracking?.state ?? state.none) !== state.none;
  const told = isTracked(pass) ? state.initializing : isKnown ? state.disabled : undefined;
  if (told === undefined) return instance;
  return { ...instance, status: { ...instance.status, changedBlockTracking: { state: told } } };
}

function isGateOn({ context }: Pass): boolean {
  return gateEnabled(context.configuration, 'IncrementalBackup');
}

/** Whether a selector of the cluster's configuration matches the VM, or its namespace. */
function isTracked({ vm, reads, context }: Pass): boolean {
  const selectors = context.configuration.kubevirt.changedBlockTrackingLabelSelectors;
  const namespace = reads.namespaces.find((n) => n.metadata.name === vm.metadata.namespace);
  return (
    matches(selectors?.virtualMachineLabelSelector, vm.metadata.labels ?? {}) ||
    (namespace !== undefined && matches(selectors?.namespaceLabelSelector, namespace.metadata.labels ?? {}))
  );
}

function matches(selector: object | undefined, labels: Readonly<Record<string, string>>): boolean {
  return selector !== undefined && selector !== null && selectorMatches(selector as LabelSelector, labels);
}

/** The table of vm.md 12.9. */
export function nextState(current: string, facts: Facts): string {
  if (!facts.isGateOn) return withGateOff(current, facts);
  return facts.matches ? whenTracked(current, facts.instance) : whenUntracked(current, facts.instance);
}

function isOff(instance: string | undefined): boolean {
  return instance === undefined || instance === state.none || instance === state.disabled;
}

function withGateOff(current: string, { matches: isWanted, instance }: Facts): string {
  if (current === state.gateDisabled) return current;
  if (isOff(instance)) return isWanted ? state.gateDisabled : 'removed';
  return current === state.initializing || current === state.enabled ? state.pendingRestart : current;
}

function whenTracked(current: string, instance: string | undefined): string {
  switch (current) {
    case state.enabled:
      if (instance === undefined) return state.enabled;
      return instance === state.enabled ? state.enabled : state.initializing;
    case state.initializing:
      return instance === state.enabled ? state.enabled : state.initializing;
    case state.none:
    case state.gateDisabled:
      return instance === undefined ? state.initializing : state.pendingRestart;
    case state.pendingRestart:
    case state.disabled:
      if (instance === undefined) return state.initializing;
      return instance === state.initializing || instance === state.enabled ? instance : state.pendingRestart;
    default:
      return state.none;
  }
}

function whenUntracked(current: string, instance: string | undefined): string {
  if (current === state.none || current === state.disabled) return current;
  if (isOff(instance)) return state.disabled;
  const isKnown = [state.pendingRestart, state.initializing, state.enabled, state.gateDisabled].some(
    (known) => known === current,
  );
  return isKnown ? state.pendingRestart : state.none;
}
