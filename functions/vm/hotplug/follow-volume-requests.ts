import type { V1VirtualMachineVolumeRequest } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { SubresourceAction } from '../../core/action.ts';
import { editedTemplate, editTemplate } from '../edit-copy.ts';
import { withSpec } from '../instance-patch.ts';
import { isBeingDeleted } from '../instance-state.ts';
import { type Failure, type Pass, refTo } from '../pass.ts';
import { next, type Step, syncError } from '../step.ts';
import { withRequest } from './volume-request.ts';

/**
 * Requests to plug volumes in and out (vm.md 6.3): the running VMI takes them by a call of its own, the template by an edit. A
 * call that fails holds the edits back.
 */
export function followVolumeRequests(pass: Pass): Step {
  for (const request of pass.vm.status?.volumeRequests ?? []) {
    editTemplate(pass, withRequest(editedTemplate(pass), request));
    const failure = call(pass, request);
    if (failure !== undefined) return syncError('HotPlugVolumeError', `Volume request: ${failure.message}`);
  }
  return next;
}

function call(pass: Pass, request: V1VirtualMachineVolumeRequest): Failure | undefined {
  const { instance } = pass;
  const options = request.addVolumeOptions ?? request.removeVolumeOptions;
  if (instance === undefined || isBeingDeleted(instance) || options === undefined) return undefined;
  const isThere = instance.spec.volumes?.some((v) => v.name === options.name) === true;
  const isToBe = request.addVolumeOptions !== undefined;
  if (isThere === isToBe) return undefined;

  const name: SubresourceAction['call'] = isToBe ? 'addvolume' : 'removevolume';
  const body = { ...options };
  // Asked for once more in the same list: a later pass sees what has become of it.
  if (pass.actions.some((a) => a.id === `${name} ${options.name}`)) return undefined;
  const action = {
    id: `${name} ${options.name}`,
    verb: 'subresource',
    target: refTo(instance),
    call: name,
    body,
  } as const;
  const failure = pass.attempt(action);
  // The pass goes on as if it were done: the VMI shows it only later.
  if (failure === undefined)
    pass.claim = { type: 'claimed', instance: withSpec(instance, withRequest(instance.spec, request)) };
  return failure;
}
