import type { Kind } from '../../../functions/core/kind.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';

interface DefinitionObject extends KubeObject {
  spec: { group: string; names: { plural: string } };
  status?: { conditions?: { type: string; status: string }[] };
}

/** The kind that tells which other kinds there are. Read by the relay alone, so it is in no controller's table. */
export const CustomResourceDefinition: Kind<DefinitionObject> = {
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
  statusSubresource: true,
};

const builtInGroups = new Set([
  '',
  'apps',
  'batch',
  'policy',
  'storage.k8s.io',
  'coordination.k8s.io',
  'networking.k8s.io',
]);

/** Whether the kind is part of every API server. */
export function isBuiltIn(kind: Kind): boolean {
  return builtInGroups.has(groupOf(kind));
}

/** Name of the definition that serves a custom kind. */
export function definitionNameOf(kind: Kind): string {
  return `${kind.plural}.${groupOf(kind)}`;
}

/**
 * Whether the definition is served. One that is being deleted is, until its last object is gone: their finalizers are the
 * controllers' to remove.
 */
export function isEstablished(definition: KubeObject | undefined): boolean {
  const d = definition as DefinitionObject | undefined;
  return d?.status?.conditions?.some((c) => c.type === 'Established' && c.status === 'True') ?? false;
}

function groupOf(kind: Kind): string {
  return kind.apiVersion.includes('/') ? kind.apiVersion.slice(0, kind.apiVersion.indexOf('/')) : '';
}
