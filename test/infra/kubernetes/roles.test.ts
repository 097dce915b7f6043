import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { declaredControllers } from '../../../functions/controllers.ts';
import type { Kind } from '../../../functions/core/kind.ts';
import { ROOT } from '../../../infra/build/project.ts';
import type { RbacRule } from '../../../infra/kubernetes/rbac-rules.ts';
import { roleFiles } from '../../../infra/kubernetes/role-files.ts';

interface Role {
  readonly kind: string;
  readonly rules: readonly RbacRule[];
}

/** What the role of a file allows, as `verb group/resource`. */
function allowed(part: 'reader' | 'writer', kind: 'ClusterRole' | 'Role'): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, 'infra/kubernetes/components', part, 'roles.yaml'), 'utf8');
  const roles = parseAllDocuments(text).map((document) => document.toJS() as Role);
  const rules = roles.find((role) => role.kind === kind)?.rules ?? [];
  return new Set(
    rules.flatMap(({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }) =>
      verbs.map((verb) =>
        [verb, nonResourceURLs ?? `${apiGroups?.join()}/${resources?.join()}`, ...(resourceNames ?? [])].join(' '),
      ),
    ),
  );
}

const groupOf = ({ apiVersion }: Kind) => (apiVersion.includes('/') ? apiVersion.split('/')[0] : '');
const nameOf = (kind: Kind) => `${groupOf(kind)}/${kind.plural}`;

test('what may be written is the allow list, and what the relay itself writes', () => {
  const listed = declaredControllers.flatMap(({ writes }) =>
    writes.rules.flatMap(({ kind, subresource, verbs }) =>
      verbs.map((verb) => {
        if (subresource === undefined) return `${verb} ${nameOf(kind)}`;
        const group = subresource === 'status' ? groupOf(kind) : 'subresources.kubevirt.io';
        return `${verb} ${group}/${kind.plural}/${subresource}`;
      }),
    ),
  );
  const own = ['create /events', 'patch /events', 'create authorization.k8s.io/subjectaccessreviews'];
  expect(allowed('writer', 'ClusterRole')).toEqual(new Set([...listed, ...own]));
});

test('what may be read is what the controllers read, and what the relay itself looks at', () => {
  const kinds = declaredControllers.flatMap(({ controller }) => [
    controller.primary,
    ...Object.values(controller.reads).map((read) => read.kind),
    ...(controller.keys ?? []).map((source) => source.kind),
  ]);
  const own = [
    'apiextensions.k8s.io/customresourcedefinitions',
    'kubevirt.io/kubevirts',
    '/persistentvolumeclaims',
    '/namespaces',
    '/resourcequotas',
  ];
  const read = [...kinds.map(nameOf), ...own].flatMap((name) => ['get', 'list', 'watch'].map((v) => `${v} ${name}`));
  expect(allowed('reader', 'ClusterRole')).toEqual(new Set([...read, 'get /version']));
});

describe("in KubeVirt's namespace", () => {
  test('a reader sees two objects', () => {
    expect(allowed('reader', 'Role')).toEqual(
      new Set([
        'list /configmaps kubevirt-vm-labels-config',
        'watch /configmaps kubevirt-vm-labels-config',
        'get coordination.k8s.io/leases virt-controller',
      ]),
    );
  });

  test('a writer holds the Lease, and makes the Secret that texts are sealed under', () => {
    expect(allowed('writer', 'Role')).toEqual(
      new Set([
        'create /secrets',
        'get /secrets virt-functions-sealing',
        'create coordination.k8s.io/leases',
        'update coordination.k8s.io/leases virt-controller',
      ]),
    );
  });
});

test('nobody reads Secrets, or changes roles, by these', () => {
  for (const part of ['reader', 'writer'] as const) {
    const of = [...allowed(part, 'ClusterRole')];
    expect(of.filter((rule) => /secrets|rbac|impersonate|\*/.test(rule))).toEqual([]);
  }
});

test('the files are as they are generated', () => {
  for (const [file, text] of roleFiles()) expect(readFileSync(file, 'utf8')).toBe(text);
});
