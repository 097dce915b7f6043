/** Nodes and namespaces. */
import { at, objAt, textAt, textsAt } from '../json/value.ts';
import { builtIn } from '../resources/built-in.ts';
import type { Resource } from '../resources/resource.ts';

export const NAMESPACE_FINALIZER = 'kubernetes';

export const namespaces: Resource = builtIn({
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  defaults: (namespace) => {
    const { metadata } = namespace;
    if (metadata.name !== undefined && metadata.name !== '')
      metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
    (namespace.status ??= {}).phase ??= 'Active';
  },
  initialStatus: (namespace) => {
    const finalizers = textsAt(namespace.spec, 'finalizers');
    if (!finalizers.includes(NAMESPACE_FINALIZER)) finalizers.push(NAMESPACE_FINALIZER);
    namespace.spec = { finalizers };
    return { phase: 'Active' };
  },
  strategy: {
    nameRule: 'label',
    returnsDeleted: true,
    prepareUpdate: (next, old) => {
      next.spec = old.spec ?? {};
      next.status = old.status ?? {};
    },
    selectable: {
      'status.phase': (namespace) => textAt(namespace.status, 'phase') ?? '',
      name: ({ metadata }) => metadata.name,
    },
  },
});

export const nodes: Resource = builtIn({
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
  defaults: (node) => {
    const status = node.status ?? {};
    const capacity = objAt(status, 'capacity');
    if (capacity !== undefined) status.allocatable ??= { ...capacity };
  },
  // A node may come with its status.
  initialStatus: (node) => node.status,
  strategy: { selectable: { 'spec.unschedulable': (node) => String(at(node.spec, 'unschedulable') === true) } },
});
