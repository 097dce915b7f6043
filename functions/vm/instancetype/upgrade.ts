import { pointer, testAndReplace } from '../../core/json-patch.ts';
import { decodeRevision } from '../../rules/instancetype/decode-revision.ts';
import { isOfCurrentVersion } from '../../rules/instancetype/revision-labels.ts';
import { refOf, revisionNameIn, type Side, sides } from '../../rules/instancetype/side.ts';
import { type Pass, refTo } from '../pass.ts';
import { ensureRevision } from './ensure-revision.ts';
import { withRevisionName } from './store.ts';

/**
 * Replaces revisions that an earlier version of KubeVirt stored (vm.md 10.2, upgrade). Returns the text of an error.
 *
 * A new revision that is there already with the same spec is the one of a pass that was cut short, and serves; the original
 * stops at it for good.
 */
export function upgradeRevisions(pass: Pass): string | undefined {
  for (const side of sides) {
    const error = upgrade(pass, side);
    if (error !== undefined) return error;
  }
  return undefined;
}

function upgrade(pass: Pass, side: Side): string | undefined {
  const old = revisionNameIn(refOf(side, pass.vm));
  if (old === undefined || isMadeByThisPass(pass, old)) return undefined;
  const { instancetypeRevisions, namesakes } = pass.reads;
  const revision = [...instancetypeRevisions, ...namesakes].find((r) => r.metadata.name === old);
  if (revision === undefined) return `revision ${old} not found`;
  if (isOfCurrentVersion(revision)) return undefined;

  const decoded = decodeRevision(side, revision);
  if (decoded.type === 'error') return decoded.message;
  const ensured = ensureRevision(pass, side, decoded.object);
  if (ensured.type === 'error') return ensured.message;
  if (ensured.name === old) return `revision ${old} bears the name of its successor`;
  const path = pointer('status', side.ref, 'controllerRevisionRef', 'name');
  const failure = pass.attempt({
    id: `upgrade-reference ${side.matcher}`,
    verb: 'patch',
    subresource: 'status',
    target: refTo(pass.vm),
    patch: { type: 'json', operations: testAndReplace(path, old, ensured.name) },
  });
  if (failure !== undefined) return `referring to the upgraded revision: ${failure.message}`;
  pass.vm = withRevisionName(pass.vm, side, ensured.name);
  // Where this fails the old revision stays until the VM goes: nothing refers to it any more.
  const { uid = '', resourceVersion = '' } = revision.metadata;
  pass.actions.push({ id: `delete-outdated ${old}`, verb: 'delete', target: refTo(revision), uid, resourceVersion });
  return undefined;
}

function isMadeByThisPass({ actions }: Pass, name: string): boolean {
  return actions.some((a) => a.verb === 'create' && a.object.metadata.name === name);
}
