import type { Action, ActionResult, EventAction, ObjectRef } from '../core/action.ts';
import { type Context, failureOf } from '../core/context.ts';
import type { SnapshotOf } from '../core/controller.ts';
import type { OpenExpectation } from '../core/expectation.ts';
import { regarding } from '../core/identity.ts';
import type { KubeObject, VirtualMachine, VirtualMachineInstance } from '../core/objects.ts';
import type { Profile } from '../rules/instancetype/profile.ts';
import type { vm } from './reads.ts';

export type VmReads = SnapshotOf<typeof vm>['reads'];
export type Failure = ActionResult & { status: 'failed' };

/** What the claim (vm.md 3.2) made of the VMI of the VM's name. */
export type Claim =
  | { readonly type: 'claimed'; readonly instance: VirtualMachineInstance }
  /** There is none. */
  | { readonly type: 'absent' }
  /** There is one, but not the VM's: the pass goes on as if there were none, and the name is taken. */
  | { readonly type: 'foreign' };

/** Ids of actions that a later pass looks for: in open expectations, or among the last outcome's failures. */
export const intent = {
  createInstance: 'create-vmi',
  deleteInstance: 'delete-vmi',
  /** Followed by the data volume's name. */
  createDataVolume: 'create-data-volume',
  updateStatus: 'status',
  releaseInstance: 'vmi-finalizers',
} as const;

/**
 * One pass over one VM: what was read, what the steps have decided so far.
 *
 * Objects are never changed, only replaced: `vm` is the working VM of vm.md chapter 4, `claim` holds the working VMI.
 */
export class Pass {
  readonly asRead: VirtualMachine;
  readonly reads: VmReads;
  readonly context: Context;
  readonly actions: Action[] = [];
  vm: VirtualMachine;
  claim: Claim = { type: 'absent' };
  /** Spec that the VM had when the VMI was started last (vm.md 9.3). */
  startSpec: VirtualMachine['spec'] | undefined;
  /** What the VM's matchers name, once they are followed (vm.md 10.1). */
  profile: Profile = {};
  /** Annotations of the instance type that this pass stores (vm.md 10.2). */
  storedAnnotations: Readonly<Record<string, string>> | undefined;
  /** The spec with the run strategy that step 9 has set, if it has: an edit (vm.md 4, step 12). */
  runSpec: VirtualMachine['spec'] | undefined;
  /** What steps 13 to 20 of vm.md 4 make of the VM. It becomes the working VM, or is written, in step 21. */
  editCopy: VirtualMachine;
  /** The template has changed in what a running VMI does not take over (vm.md 11.2). */
  restartRequired = false;
  wakeUpAfterMs: number | undefined;

  constructor(vm: VirtualMachine, reads: VmReads, context: Context) {
    this.asRead = vm;
    this.vm = vm;
    this.editCopy = vm;
    this.reads = reads;
    this.context = context;
  }

  /** The working VMI, if it is the VM's. */
  get instance(): VirtualMachineInstance | undefined {
    return this.claim.type === 'claimed' ? this.claim.instance : undefined;
  }

  /**
   * Adds an action, unless the one of that id was the last outcome's failure: that is returned instead, so that the error
   * path is taken once with its cause known. The pass after the back-off tries again.
   */
  attempt(action: Action): Failure | undefined {
    const failure = failureOf(this.context, action.id);
    if (failure === undefined) this.actions.push(action);
    return failure;
  }

  /** An event about the VM (vm.md 15). */
  event(type: EventAction['type'], reason: string, message: string): void {
    // Events of one reason about several things are told apart by their place.
    const id = `event ${reason}${this.actions.some((a) => a.id === `event ${reason}`) ? ` ${this.actions.length}` : ''}`;
    this.actions.push({ id, verb: 'event', type, reason, message, regarding: regarding(this.vm) });
  }

  /** Open expectation of an earlier pass; while there is one, sync does nothing (vm.md 1.3). */
  get openExpectation(): OpenExpectation | undefined {
    return this.context.expectations[0];
  }

  /** Whether this pass makes or removes something that the next ones are to see first. */
  get makesExpectation(): boolean {
    return this.actions.some((a) => a.verb !== 'event' && a.expect === true);
  }

  /** "Start expected": a VMI was created, by this pass or an earlier one, and not seen yet. */
  get startExpected(): boolean {
    return this.#expects(intent.createInstance);
  }

  /** "Stop expected", likewise for a deletion. */
  get stopExpected(): boolean {
    return this.#expects(intent.deleteInstance);
  }

  #expects(id: string): boolean {
    return this.context.expectations.some((e) => e.id === id) || this.actions.some((a) => a.id === id);
  }
}

export function refTo(object: KubeObject): ObjectRef {
  return { kind: object.kind, namespace: object.metadata.namespace, name: object.metadata.name };
}
