import type { V1Interface } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { isConditionStatus } from '../../core/conditions.ts';
import { addOp, testOp } from '../../core/json-patch.ts';
import type { Network } from '../../core/newer-fields.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { semanticallyEqual } from '../../core/semantic-equal.ts';
import { editedTemplate, editTemplate, type Spec } from '../edit-copy.ts';
import { patchInstance, withSpec } from '../instance-patch.ts';
import { isBeingDeleted } from '../instance-state.ts';
import type { Pass } from '../pass.ts';
import { next, type Step, syncError } from '../step.ts';
import { hasOrdinalNames } from './interface-naming.ts';

interface Plugged {
  readonly interfaces: readonly V1Interface[];
  readonly networks: readonly Network[];
}

/** Interfaces that come, go and move while the VMI runs (vm.md 6.1). Those that are gone leave the template, too. */
export function plugInterfaces(pass: Pass): Step {
  const { instance } = pass;
  if (instance === undefined) {
    forgetAbsent(pass, new Set());
    return next;
  }
  if (isBeingDeleted(instance)) return next;
  const { interfaces, networks } = plugged(instance, editedTemplate(pass));
  const { devices } = instance.spec.domain;
  const isSame =
    semanticallyEqual(instance.spec.networks, networks, '[]Network') &&
    semanticallyEqual(devices?.interfaces, interfaces, '[]Interface');
  if (!isSame) {
    const operations = [
      testOp('/spec/networks', instance.spec.networks),
      addOp('/spec/networks', networks),
      testOp('/spec/domain/devices/interfaces', devices?.interfaces),
      addOp('/spec/domain/devices/interfaces', interfaces),
    ];
    const domain = { ...instance.spec.domain, devices: { ...devices, interfaces: [...interfaces] } };
    const becomes = withSpec(instance, { networks: [...networks], domain });
    const failure = patchInstance(pass, 'vmi-interfaces', operations, becomes);
    if (failure !== undefined) {
      return syncError('HotPlugNetworkInterfaceError', `Plugging in network interfaces: ${failure.message}`);
    }
  }
  forgetAbsent(pass, new Set([...interfaces, ...(instance.status?.interfaces ?? [])].map((i) => i.name ?? '')));
  return next;
}

/** Interfaces and networks that the VMI is to have. */
function plugged(instance: VirtualMachineInstance, template: Spec): Plugged {
  const { spec, status } = instance;
  const isOrdinal = hasOrdinalNames(instance);
  const wanted = new Map((template.domain?.devices?.interfaces ?? []).map((i) => [i.name, i]));
  const running = spec.domain.devices?.interfaces ?? [];
  const known = new Set(running.map((i) => i.name));

  const updated = running.map((i) => {
    const state = wanted.get(i.name)?.state ?? '';
    const isMoved = wanted.has(i.name) && state !== (i.state ?? '') && i.state !== 'absent';
    return isMoved && !(isOrdinal && state === 'absent') ? withState(i, state) : i;
  });
  const added = [...wanted.values()].filter((i) => !known.has(i.name) && i.state !== 'absent' && isPluggable(i));
  const seen = new Set((status?.interfaces ?? []).map((i) => i.name));
  const interfaces = [...updated, ...added].filter((i) => i.state !== 'absent' || seen.has(i.name));

  const all = new Map(
    [...(template.networks ?? []).filter((n) => added.some((i) => i.name === n.name)), ...(spec.networks ?? [])].map(
      (n) => [n.name, n],
    ),
  );
  const networks = interfaces.flatMap((i) => all.get(i.name) ?? []);
  const mayMove = isConditionStatus(status?.conditions, 'LiveMigratable');
  return { interfaces, networks: mayMove ? networks.map((n) => moved(n, template.networks)) : networks };
}

/** Without a state the member is absent. */
function withState(i: V1Interface, state: string): V1Interface {
  const changed: V1Interface = { ...i, state };
  if (state === '') delete changed.state;
  return changed;
}

function isPluggable({ bridge, sriov }: V1Interface): boolean {
  return bridge !== undefined || sriov !== undefined;
}

/** A migratable VMI follows its VM to another network of the same kind. */
function moved(network: Network, wanted: readonly Network[] | undefined): Network {
  const networkName = wanted?.find((n) => n.name === network.name)?.multus?.networkName;
  return network.multus && networkName !== undefined
    ? { ...network, multus: { ...network.multus, networkName } }
    : network;
}

/** Interfaces that are to be absent, and are, leave the template; its networks are those of the others, in their order. */
function forgetAbsent(pass: Pass, held: ReadonlySet<string>): void {
  const template = editedTemplate(pass);
  const { devices } = template.domain ?? {};
  const interfaces = devices?.interfaces?.filter((i) => i.state !== 'absent' || held.has(i.name));
  const networks = interfaces?.flatMap((i) => template.networks?.find((n) => n.name === i.name) ?? []) ?? [];
  const isSame =
    interfaces?.length === devices?.interfaces?.length && semanticallyEqual(template.networks, networks, '[]Network');
  if (isSame) return;
  editTemplate(pass, { ...template, networks, domain: { ...template.domain, devices: { ...devices, interfaces } } });
}
