import type { V1VirtualMachineMemoryDumpRequest, V1Volume } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { addOp, pointer, replaceOp, testOp } from '../../core/json-patch.ts';
import { editedTemplate, editTemplate } from '../edit-copy.ts';
import { patchInstance, withSpec } from '../instance-patch.ts';
import { isBeingDeleted } from '../instance-state.ts';
import { annotation } from '../names.ts';
import { type Failure, type Pass, refTo } from '../pass.ts';
import { next, type Step, syncError } from '../step.ts';

type Request = V1VirtualMachineMemoryDumpRequest;

/** What a memory dump has to do with volumes and its claim, by its phase (vm.md 6.5). The phase moves on in the status. */
export function followMemoryDump(pass: Pass): Step {
  const request = pass.vm.status?.memoryDumpRequest;
  if (request === undefined) return next;
  switch (request.phase) {
    case 'Associating':
      return associate(pass, request.claimName);
    case 'Unmounting':
    case 'Failed':
      return annotateClaim(pass, request) ?? unplug(pass, request.claimName);
    case 'Dissociating': {
      const template = editedTemplate(pass);
      editTemplate(pass, { ...template, volumes: without(template.volumes, request.claimName) });
      return unplug(pass, request.claimName);
    }
    default:
      return next;
  }
}

function associate(pass: Pass, claimName: string): Step {
  const { instance } = pass;
  if (instance?.status?.phase !== 'Running' || isBeingDeleted(instance)) return next;
  const volume = { name: claimName, memoryDump: { claimName, hotpluggable: true } };
  const template = editedTemplate(pass);
  if (!has(template.volumes, claimName)) {
    editTemplate(pass, { ...template, volumes: [...(template.volumes ?? []), volume] });
  }
  const { volumes } = instance.spec;
  return has(volumes, claimName) ? next : finished(setVolumes(pass, [...(volumes ?? []), volume]));
}

function unplug(pass: Pass, claimName: string): Step {
  const volumes = pass.instance?.spec.volumes;
  return has(volumes, claimName) ? finished(setVolumes(pass, without(volumes, claimName) ?? [])) : next;
}

function setVolumes(pass: Pass, volumes: V1Volume[]): Failure | undefined {
  const { instance } = pass;
  if (instance === undefined) return undefined;
  const path = '/spec/volumes';
  const old = instance.spec.volumes;
  const set = (old?.length ?? 0) === 0 ? addOp(path, volumes) : replaceOp(path, volumes);
  return patchInstance(pass, 'vmi-memory-dump', [testOp(path, old), set], withSpec(instance, { volumes }));
}

/** Writes onto the claim what it holds. A patch that fails is let pass; a step is returned for an error alone. */
function annotateClaim(pass: Pass, { claimName, phase, fileName }: Request): Step | undefined {
  const claim = pass.reads.claims.find((c) => c.metadata.name === claimName);
  if (claim === undefined) return error(`claim ${claimName} not found`);
  const value = phase === 'Failed' ? 'Memory dump failed' : (fileName ?? '');
  const { annotations } = claim.metadata;
  if (value === '' || annotations?.[annotation.memoryDump] === value) return undefined;
  const operations =
    annotations === undefined
      ? [testOp('/metadata/annotations', undefined), addOp('/metadata/annotations', { [annotation.memoryDump]: value })]
      : [replaceOp(pointer('metadata', 'annotations', annotation.memoryDump), value)];
  pass.attempt({ id: 'claim-memory-dump', verb: 'patch', target: refTo(claim), patch: { type: 'json', operations } });
  return undefined;
}

function has(volumes: readonly V1Volume[] | undefined, name: string): boolean {
  return volumes?.some((v) => v.name === name) === true;
}

function without(volumes: readonly V1Volume[] | undefined, name: string): V1Volume[] | undefined {
  return volumes?.filter((v) => v.name !== name);
}

function finished(failure: Failure | undefined): Step {
  return failure === undefined ? next : error(failure.message);
}

function error(cause: string): Step {
  return syncError('MemoryDumpError', `Memory dump: ${cause}`);
}
