import type { KubeObject } from '../../core/objects.ts';
import { semanticallyEqual } from '../../core/semantic-equal.ts';
import { decodeRevision } from '../../rules/instancetype/decode-revision.ts';
import { newRevision } from '../../rules/instancetype/new-revision.ts';
import type { Side } from '../../rules/instancetype/side.ts';
import type { Pass } from '../pass.ts';

export type Ensured =
  | { readonly type: 'ensured'; readonly name: string }
  | { readonly type: 'error'; readonly message: string };

/**
 * Keeps an instance type or a preference as a revision of the VM (vm.md 10.2). One of the name that is there already serves if
 * it holds the same spec.
 */
export function ensureRevision(pass: Pass, side: Side, object: KubeObject): Ensured {
  const wanted = newRevision(pass.vm, object);
  const { name } = wanted.metadata;
  const { instancetypeRevisions, namesakes } = pass.reads;
  const present = [...instancetypeRevisions, ...namesakes].find((r) => r.metadata.name === name);
  if (present !== undefined) {
    const decoded = decodeRevision(side, present);
    if (decoded.type === 'error') return decoded;
    const isSame = semanticallyEqual(decoded.object.spec, specOf(wanted.data), side.specType);
    return isSame ? { type: 'ensured', name } : { type: 'error', message: `revision ${name} holds another spec` };
  }
  const id = `keep ${side.matcher}`;
  const failure = pass.attempt({ id, verb: 'create', object: wanted, expect: true });
  return failure === undefined
    ? { type: 'ensured', name }
    : { type: 'error', message: `creating revision ${name}: ${failure.message}` };
}

function specOf(data: unknown): unknown {
  return (data as { spec?: unknown }).spec;
}
