/**
 * The controllers that there are: what each declares that it looks at and may write. Everything that goes by controller begins
 * here: the relay, the stack on one machine, roles in a cluster, functions in a cloud. A new controller is added to this list,
 * and nowhere else.
 */
import { anyController, type Controller } from './core/controller.ts';
import type { Writes } from './core/writes.ts';
import { node } from './node/reads.ts';
import { nodeWrites } from './node/writes.ts';
import { topology } from './topology/reads.ts';
import { topologyWrites } from './topology/writes.ts';
import { vm } from './vm/reads.ts';
import { vmWrites } from './vm/writes.ts';
import { vmi } from './vmi/reads.ts';
import { vmiWrites } from './vmi/writes.ts';

export interface DeclaredController {
  readonly controller: Controller;
  readonly writes: Writes;
}

/** In the order of their names. */
export const declaredControllers: readonly DeclaredController[] = [
  { controller: anyController(node), writes: nodeWrites },
  { controller: anyController(topology), writes: topologyWrites },
  { controller: anyController(vm), writes: vmWrites },
  { controller: anyController(vmi), writes: vmiWrites },
];
