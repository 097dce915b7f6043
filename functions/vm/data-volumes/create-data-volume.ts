import { ACCESS_DENIED, type Precondition } from '../../core/action.ts';
import { failureOf } from '../../core/context.ts';
import { keyFor, keyOf } from '../../core/object-index.ts';
import { writtenForm } from '../../core/written-form/written-form.ts';
import { type Failure, intent, type Pass } from '../pass.ts';
import { mayClone } from './clone-rights.ts';
import { type Clone, resolveSource } from './clone-source.ts';
import { dataVolumeFrom, metadataOf, nameOf, type Template } from './manifest.ts';

export type Created = { readonly type: 'not-ready' } | { readonly type: 'error'; readonly message: string };

/** The content is there already, so nothing is read from the source. */
const NOTHING_TO_CLONE = ['cdi.kubevirt.io/storage.prePopulated', 'cdi.kubevirt.io/storage.checkStaticVolume'];

/** Creates the data volume of a template (vm.md 8, "DV absent"). It is never ready at once. */
export function createDataVolume(pass: Pass, template: Template): Created {
  const name = nameOf(template);
  const id = `${intent.createDataVolume} ${name}`;
  const failure = failureOf(pass.context, id);
  if (failure !== undefined) return notCreated(pass, name, failure);
  // A second template of the name: there can only be one.
  if (pass.actions.some((a) => a.id === id)) return { type: 'not-ready' };

  const { namespace = '' } = pass.vm.metadata;
  const source = resolveSource(template.spec, namespace, pass.reads.dataSources);
  if (source.type === 'error') return error(`Creating DataVolume ${name}: ${source.message}`);
  const rights = cloneRights(pass, template, source.clone);
  if (rights.type === 'refused') return unauthorized(pass, name, rights.message);

  pass.actions.push({
    id,
    verb: 'create',
    object: writtenForm(dataVolumeFrom(pass.vm, template, source.spec)),
    ...(rights.preconditions.length > 0 && { preconditions: rights.preconditions }),
    expect: true,
  });
  pass.event('Normal', 'SuccessfulDataVolumeCreate', `Created DataVolume ${name}`);
  return { type: 'not-ready' };
}

type Rights =
  | { readonly type: 'asked'; readonly preconditions: readonly Precondition[] }
  | { readonly type: 'refused'; readonly message: string };

/** Steps 3 and 4: what is to be said of the source, and whether the VM's service account may clone it. */
function cloneRights(pass: Pass, template: Template, clone: Clone | undefined): Rights {
  const free: Rights = { type: 'asked', preconditions: [] };
  if (clone === undefined) return free;
  const key = keyFor(clone.namespace, clone.name);
  if (clone.type === 'pvc' && !pass.reads.sourceClaims.some((c) => keyOf(c) === key)) {
    // sic: the reason is the original's
    pass.event('Warning', 'SourcePVCNotAvailabe', `Source PVC ${key} of DataVolume ${nameOf(template)} not available`);
  }
  if (!pass.reads.namespaces.some((n) => n.metadata.name === clone.namespace)) {
    return { type: 'refused', message: `namespace ${clone.namespace} not found` };
  }
  if (clone.namespace === pass.vm.metadata.namespace) return free;
  const { annotations = {} } = metadataOf(template);
  if (NOTHING_TO_CLONE.some((key) => annotations[key] !== undefined)) return free;
  return { type: 'asked', preconditions: [mayClone(pass.vm, clone)] };
}

function notCreated(pass: Pass, name: string, failure: Failure): Created {
  if (failure.reason === ACCESS_DENIED) return unauthorized(pass, name, failure.message);
  // An older CDI refuses where the claim is there without its data volume, as after its collection.
  const hasClaim = pass.reads.claims.some((c) => c.metadata.name === name);
  if (hasClaim && failure.message.includes('already exists')) return { type: 'not-ready' };
  pass.event('Warning', 'FailedDataVolumeCreate', `Error creating DataVolume ${name}: ${failure.message}`);
  return error(`Creating DataVolume ${name}: ${failure.message}`);
}

function unauthorized(pass: Pass, name: string, cause: string): Created {
  pass.event('Warning', 'UnauthorizedDataVolumeCreate', `Not authorized to create DataVolume ${name}: ${cause}`);
  return error(`Not authorized to create DataVolume ${name}: ${cause}`);
}

function error(message: string): Created {
  return { type: 'error', message };
}
