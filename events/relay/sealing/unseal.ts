import type { Action, JsonPatchOperation } from '../../../functions/core/action.ts';
import { targetOf } from '../apply/expected-version.ts';
import { mapTexts } from './map-texts.ts';
import { isSecretMember, looksSealed } from './sealed-text.ts';
import type { SealedText } from './sealer.ts';

/** A text stands where it does not belong; says where. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';
}

/**
 * The action with what was sealed put back, in objects, patch values and patch tests: only under a member of the name and in the
 * namespace that it came from. `contentsOf` a seal: the texts of the snapshot that is answered.
 *
 * @throws UnsealError for a seal that belongs elsewhere, and for a secret member with a text that is none of the cluster's:
 * a function can't know any, so it could only plant one, or try by a patch test whether it has guessed.
 */
export function unsealed<A extends Action>(action: A, contentsOf: (seal: string) => readonly SealedText[]): A {
  const namespace = targetOf(action).namespace ?? '';
  const replace = (text: string, member: string): string => {
    if (!looksSealed(text)) {
      if (isSecretMember(member) && text !== '') throw new UnsealError(`a text that is not sealed under ${member}`);
      return text;
    }
    const content = contentsOf(text).find((c) => c.member === member && c.namespace === namespace);
    if (content === undefined) throw new UnsealError(`a seal that does not belong under ${member} in this namespace`);
    return content.text;
  };
  switch (action.verb) {
    case 'create':
    case 'update':
    case 'updateStatus':
      return { ...action, object: mapTexts(action.object, '', replace) };
    case 'patch':
      return {
        ...action,
        patch:
          action.patch.type === 'json'
            ? { ...action.patch, operations: action.patch.operations.map((o) => unsealedOperation(o, replace)) }
            : { ...action.patch, body: mapTexts(action.patch.body, '', replace) },
      };
    case 'subresource':
      return { ...action, body: mapTexts(action.body, '', replace) };
    case 'delete':
    case 'event':
      return action;
  }
}

function unsealedOperation(
  operation: JsonPatchOperation,
  replace: (text: string, member: string) => string,
): JsonPatchOperation {
  if (operation.value === undefined) return operation;
  return { ...operation, value: mapTexts(operation.value, memberAt(operation.path), replace) };
}

/** The member that a JSON pointer leads to; for an element of a list the list's. */
function memberAt(path: string): string {
  const named = path.split('/').findLast((segment) => !/^(?:\d+|-)$/.test(segment)) ?? '';
  return named.replaceAll('~1', '/').replaceAll('~0', '~');
}
