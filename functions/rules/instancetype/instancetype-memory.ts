import { ceil } from '../../core/quantity/arithmetic.ts';
import { formatQuantity } from '../../core/quantity/format.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { wholeQuantity } from '../../core/quantity/quantity.ts';
import type { MemberPath } from '../../core/written-form/misfit.ts';
import type { InstanceSpec, InstancetypeSpec } from './profile.ts';
import { isPresent } from './set-members.ts';

type Domain = InstanceSpec['domain'];

/** The rows about memory of the table in vm.md 10.4; of several conflicts the first is told. */
export function setMemory(domain: Domain, { memory }: InstancetypeSpec): readonly MemberPath[] {
  const given = domain.memory ?? {};
  const { requests, limits } = domain.resources ?? {};
  const sets: readonly (readonly [isWanted: boolean, old: unknown, path: MemberPath])[] = [
    [true, given.guest, ['memory', 'guest']],
    [isPresent(memory.hugepages), given.hugepages, ['memory', 'hugepages']],
    [isPresent(memory.maxGuest), given.maxGuest, ['memory', 'maxGuest']],
    [true, requests?.['memory'], ['resources', 'requests', 'memory']],
    [true, limits?.['memory'], ['resources', 'limits', 'memory']],
  ];
  domain.memory = {
    ...given,
    guest: memory.guest,
    ...(isPresent(memory.hugepages) ? { hugepages: structuredClone(memory.hugepages) } : {}),
    ...(isPresent(memory.maxGuest) ? { maxGuest: memory.maxGuest } : {}),
  };
  const request = overcommitted(memory);
  if (request !== undefined) {
    domain.resources = { ...domain.resources, requests: { ...requests, memory: request } };
  }
  const first = sets.find(([isWanted, old]) => isWanted && isPresent(old));
  return first === undefined ? [] : [['spec', 'domain', ...first[2]]];
}

/** The pod's request where the cluster may promise more memory than it has. Single precision is part of the rule. */
function overcommitted({ guest, overcommitPercent = 0 }: InstancetypeSpec['memory']): string | undefined {
  const quantity = parseQuantity(guest);
  if (quantity === undefined || !(overcommitPercent > 0)) return undefined;
  const f = Math.fround;
  const part = f(1 - f(f(overcommitPercent) / 100));
  const bytes = Math.trunc(f(f(Number(ceil(quantity))) * part));
  return formatQuantity(wholeQuantity(bytes, quantity.format));
}
