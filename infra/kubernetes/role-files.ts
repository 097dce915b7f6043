import { join } from 'node:path';
import { stringify } from 'yaml';
import { declaredControllers } from '../../functions/controllers.ts';
import { ROOT } from '../build/project.ts';
import { type RbacRules, readerRules, writerRules } from './rbac-rules.ts';

const HEAD = `# Written by infra/kubernetes/generate-roles.ts from the controllers' reads.ts and writes.ts. Do not edit.`;

/** The files of roles, by path, as the controllers of now want them. */
export function roleFiles(): ReadonlyMap<string, string> {
  const file = (part: string) => join(ROOT, 'infra/kubernetes/components', part, 'roles.yaml');
  return new Map([
    [file('reader'), rolesText('relay-reader', readerRules(declaredControllers))],
    [file('writer'), rolesText('relay-writer', writerRules(declaredControllers))],
  ]);
}

/** One line per rule, so that what a change adds is seen, and two changes seldom meet. */
function rolesText(name: string, { cluster, namespace }: RbacRules): string {
  const role = (kind: 'ClusterRole' | 'Role', rules: RbacRules['cluster']) => [
    stringify({ apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name } }).trimEnd(),
    'rules:',
    ...rules.map((rule) => `  - ${stringify(rule, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd()}`),
  ];
  return [HEAD, ...role('ClusterRole', cluster), '---', ...role('Role', namespace), ''].join('\n');
}
