import type { V1beta1DataVolumeSpec } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { keyFor } from '../../core/object-index.ts';
import type { CloneSource, DataSource } from '../../core/objects.ts';

type Spec = V1beta1DataVolumeSpec;

/** What a data volume is a copy of. */
export interface Clone {
  readonly type: 'pvc' | 'snapshot';
  readonly namespace: string;
  readonly name: string;
}

/** A template's spec with the source that it names by reference put in. */
export type ResolvedSource =
  | { readonly type: 'resolved'; readonly spec: Spec; readonly clone?: Clone }
  | { readonly type: 'error'; readonly message: string };

/** Key of the DataSource that a spec refers to. */
export function dataSourceKey({ sourceRef }: Spec, vmNamespace: string): string | undefined {
  return sourceRef?.kind === 'DataSource' ? keyFor(sourceRef.namespace ?? vmNamespace, sourceRef.name) : undefined;
}

/** Resolves the source of a data volume (vm.md 8, "clone source resolution"). */
export function resolveSource(spec: Spec, vmNamespace: string, dataSources: readonly DataSource[]): ResolvedSource {
  const key = dataSourceKey(spec, vmNamespace);
  if (key === undefined) {
    if (spec.sourceRef) return notSupported(spec.sourceRef.kind);
    return withClone(spec, spec.source ?? {}, vmNamespace);
  }
  const found = dataSources.find(({ metadata }) => keyFor(metadata.namespace, metadata.name) === key);
  if (found === undefined) return { type: 'error', message: `DataSource ${key} not found` };
  const { pvc, snapshot } = (found.spec?.source?.dataSource ? found.status?.source : found.spec?.source) ?? {};
  if (pvc === undefined && snapshot === undefined) return notSupported(`DataSource ${key} without claim and snapshot`);
  const { sourceRef: _, ...rest } = spec;
  return withClone(rest, { pvc, snapshot }, found.metadata.namespace ?? vmNamespace);
}

interface Sources {
  readonly pvc?: CloneSource | undefined;
  readonly snapshot?: CloneSource | undefined;
}

/** A claim or a snapshot gets its namespace; other sources stay as they are. */
function withClone(spec: Spec, { pvc, snapshot }: Sources, namespace: string): ResolvedSource {
  const type = pvc ? 'pvc' : 'snapshot';
  const source = pvc ?? snapshot;
  if (!source) return { type: 'resolved', spec };
  const clone = { name: source.name, namespace: source.namespace || namespace };
  return { type: 'resolved', spec: { ...spec, source: { [type]: clone } }, clone: { type, ...clone } };
}

function notSupported(what: string): ResolvedSource {
  return { type: 'error', message: `sourceRef is not supported: ${what}` };
}
