import type { ReconcileItem, ReconcileRequest } from '../../../events/envelope/envelope.ts';
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import { defaultProcessParameters } from '../../../functions/core/configuration/defaults.ts';
import type { Context } from '../../../functions/core/context.ts';
import { defineController, type SnapshotOf } from '../../../functions/core/controller.ts';
import { freeDerivedName } from '../../../functions/core/derived-name.ts';
import type { Kind } from '../../../functions/core/kind.ts';
import { byController } from '../../../functions/core/object-index.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Outcome } from '../../../functions/core/outcome.ts';
import { many, one } from '../../../functions/core/reads.ts';

/** A kind of object for tests: each widget says what its controller is to do. */
export interface Widget extends KubeObject {
  readonly spec: { readonly script: string; readonly padding?: string };
}

const common = { apiVersion: 'test/v1', namespaced: true, statusSubresource: false } as const;
export const WidgetKind: Kind<Widget> = { ...common, kind: 'Widget', plural: 'widgets' };
const PartKind: Kind = { ...common, kind: 'Part', plural: 'parts' };

export const widget = defineController({
  name: 'widget',
  primary: WidgetKind,
  concurrency: 3,
  eventSource: 'widget-controller',
  reads: {
    parts: many(PartKind).by(byController, (w: Widget) => w.metadata.uid),
    parent: one(PartKind).named((w: Widget) => `${w.metadata.namespace}/parent`),
  },
});

/** A part of a widget, as `make` creates it. */
export function partOf(w: Widget): KubeObject {
  const generateName = `${w.metadata.name}-`;
  const { name } = freeDerivedName(generateName, w.metadata.uid ?? '', 'part', new Set());
  const owner = { apiVersion: 'test/v1', kind: 'Widget', name: w.metadata.name, uid: w.metadata.uid ?? '' };
  return {
    apiVersion: 'test/v1',
    kind: 'Part',
    metadata: {
      name,
      generateName,
      namespace: 'default',
      ownerReferences: [{ ...owner, controller: true }],
    },
  };
}

/** The controller: `make` makes a part and waits for it; others do as their name says. */
export function reconcile(
  snapshot: SnapshotOf<typeof widget>,
  state: { readonly passes: number } | undefined,
  context: Context,
): Outcome<{ readonly passes: number }> {
  const w = snapshot.primary;
  if (w === undefined) return { type: 'done', actions: [] };
  const [open] = context.expectations;
  switch (w.spec.script) {
    case 'make':
      if (open !== undefined) return { type: 'stale', expectation: open, actions: [] };
      if (snapshot.reads.parts.length > 0) return { type: 'done', actions: [] };
      return { type: 'done', actions: [{ verb: 'create', id: 'part', expect: true, object: partOf(w) }] };
    case 'count':
      return { type: 'done', actions: [], state: { passes: (state?.passes ?? 0) + 1 } };
    case 'forget':
      return { type: 'done', actions: [], state: null };
    case 'retry':
      return { type: 'retry', reason: 'not today', actions: [] };
    case 'throw':
      throw new Error('a defect');
    case 'wait':
      return { type: 'requeue-after', afterMs: 30_000, actions: [] };
    case 'each minute':
      return { type: 'requeue-after', afterMs: 60_000, actions: [] };
    case 'large':
      return {
        type: 'done',
        actions: [{ verb: 'create', id: 'large', object: { ...partOf(w), spec: w.spec } as KubeObject }],
      };
    default:
      return { type: 'done', actions: [] };
  }
}

export function widgetItem(name: string, script: string, more: Partial<ReconcileItem> = {}): ReconcileItem {
  const primary: Widget = {
    apiVersion: 'test/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '10' },
    spec: { script },
  };
  return {
    key: `default/${name}`,
    attempt: 1,
    primary,
    reads: { parts: [], parent: null },
    results: [],
    positions: { Widget: '10', Part: '10' },
    ...more,
  };
}

export const configuration: ClusterConfiguration = {
  kubevirt: {},
  defaultArchitecture: 'amd64',
  installNamespace: 'kubevirt',
  process: {
    ...defaultProcessParameters,
    launcherImage: 'registry.example/virt-launcher:v1',
    exporterImage: 'registry.example/virt-exportserver:v1',
  },
};

let deliveries = 0;

export function widgetBatch(items: readonly ReconcileItem[], more: Partial<ReconcileRequest> = {}): ReconcileRequest {
  return {
    version: 1,
    cluster: 'cluster-uid',
    token: 1,
    timeMs: Date.now(),
    deliveryId: `delivery-${++deliveries}`,
    listedToken: 1,
    configuration,
    items,
    ...more,
  };
}
