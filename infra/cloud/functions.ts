import { declaredControllers } from '../../functions/controllers.ts';
import { type FunctionRole, type Permission, permissionsOf } from './permissions.ts';
import type { CloudSettings } from './settings.ts';

/** One function of a deployment. */
export interface CloudFunction {
  /** Its bundle: `dist/functions/<name>`. */
  readonly name: string;
  readonly role: FunctionRole;
  /** `<deployment>-<name>` */
  readonly functionName: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly reservedConcurrency?: number;
  readonly permissions: readonly Permission[];
}

export const RUNTIME = 'nodejs24.x';
export const ARCHITECTURE = 'arm64';
/** `index.mjs` of the bundle exports `handler`. */
export const HANDLER = 'index.handler';
export const SWEEP_EVERY_MINUTES = 5;

/**
 * Memory buys processor time: 1,769 MB are one processor. The least at which a warm function answers a batch of ten keys within
 * 50 ms, the table's time included, and has room for the largest batch (README, "Memory").
 */
const memoryMb: Readonly<Record<FunctionRole, number>> = { controller: 512, lease: 256, sweep: 256 };

/** The relay gives up after 35 s; one call of the table may take 7.5 s. A sweep looks at all clusters. */
const timeoutSeconds: Readonly<Record<FunctionRole, number>> = { controller: 30, lease: 15, sweep: 120 };

/** All functions: one for each declared controller, the lease, the sweep. */
export function cloudFunctions(settings: CloudSettings): readonly CloudFunction[] {
  const make = (name: string, role: FunctionRole, description: string): CloudFunction => {
    const reserved = settings.reservedConcurrency[name];
    return {
      name,
      role,
      functionName: `${settings.name}-${name}`,
      description,
      memoryMb: memoryMb[role],
      timeoutSeconds: timeoutSeconds[role],
      ...(reserved !== undefined && { reservedConcurrency: reserved }),
      permissions: permissionsOf(name, role),
    };
  };
  return [
    ...declaredControllers.map(({ controller }) =>
      make(controller.name, 'controller', `virt-functions: controller ${controller.name}`),
    ),
    make('lease', 'lease', 'virt-functions: the lease of each cluster'),
    make('resync', 'sweep', 'virt-functions: the scheduled sweep'),
  ];
}

/** For names in templates, which take letters and digits only: `disruption-budget` -> `DisruptionBudget`. */
export function pascal(name: string): string {
  return name
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
