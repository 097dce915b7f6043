import type { V1ResourceRequirements } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { JsonPatchOperation } from '../../core/action.ts';
import { addOp, pointer, testAndReplace } from '../../core/json-patch.ts';
import { isZero } from '../../core/quantity/arithmetic.ts';
import { formatQuantity } from '../../core/quantity/format.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { type Quantity, wholeQuantity } from '../../core/quantity/quantity.ts';

type Part = 'requests' | 'limits';
/** What becomes of an amount; `undefined`: it stays. */
export type Changes = Readonly<Record<Part, ((old: Quantity) => Quantity) | undefined>>;

export interface ChangedResources {
  readonly operations: readonly JsonPatchOperation[];
  readonly resources: V1ResourceRequirements;
}

/** Changes the request and the limit of one resource of a VMI, each with a test of what it was (vm.md 7.1, 7.4). */
export function changeResources(
  resources: V1ResourceRequirements | undefined,
  resource: 'cpu' | 'memory',
  changes: Changes,
): ChangedResources {
  const operations: JsonPatchOperation[] = [];
  const changed: Record<string, unknown> = { ...resources };
  for (const part of ['requests', 'limits'] as const) {
    const change = changes[part];
    if (change === undefined) continue;
    const old = resources?.[part] as Record<string, string> | undefined;
    const amount = formatQuantity(change(quantityOf(old?.[resource])));
    const path = pointer('spec', 'domain', 'resources', part);
    operations.push(
      ...(old === undefined
        ? [addOp(path, { [resource]: amount })]
        : testAndReplace(`${path}${pointer(resource)}`, old[resource], amount)),
    );
    changed[part] = { ...old, [resource]: amount };
  }
  return { operations, resources: changed };
}

export function amountOf(amounts: object | undefined, resource: 'cpu' | 'memory'): Quantity {
  return quantityOf((amounts as Record<string, string> | undefined)?.[resource]);
}

export function isNonZero(amounts: object | undefined, resource: 'cpu' | 'memory'): boolean {
  return !isZero(amountOf(amounts, resource));
}

function quantityOf(text: string | undefined): Quantity {
  return (text === undefined ? undefined : parseQuantity(text)) ?? wholeQuantity(0);
}
