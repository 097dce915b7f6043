/** Shape of the CustomResourceDefinitions that the embedded cluster installs. */
import type { JsonSchema } from './schema.ts';

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'date' | 'integer';
  readonly jsonPath: string;
  /** 1: shown by `kubectl get -o wide` only. */
  readonly priority?: number;
}

export interface Api {
  readonly group: string;
  /** All have one schema, so none needs conversion. The first is stored. */
  readonly versions: readonly Readonly<{ name: string; deprecated?: true; deprecationWarning?: string }>[];
}

/** What distinguishes one kind's definition. Namespaced kinds are in the category `all`. */
export interface Definition {
  /** Absent: `kubevirt.io`. */
  readonly api?: Api;
  /** Absent: namespaced. */
  readonly scope?: 'Cluster';
  readonly kind: string;
  readonly singular: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly statusSubresource: boolean;
  readonly columns: readonly PrinterColumn[];
  readonly spec: JsonSchema;
  readonly status?: JsonSchema;
}

export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

const kubevirtApi: Api = {
  group: 'kubevirt.io',
  versions: [
    { name: 'v1' },
    {
      name: 'v1alpha3',
      deprecated: true,
      deprecationWarning: 'kubevirt.io/v1alpha3 is deprecated; use kubevirt.io/v1',
    },
  ],
};

export const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** Status of a condition, as a printer column of that name. */
export function conditionColumn(name: string, condition = name, priority = 0): PrinterColumn {
  const jsonPath = `.status.conditions[?(@.type=='${condition}')].status`;
  return { name, type: 'string', jsonPath, ...(priority > 0 ? { priority } : {}) };
}

export function customResourceDefinition(definition: Definition): CustomResourceDefinition {
  const { api = kubevirtApi, scope = 'Namespaced', kind, singular, plural, shortNames, columns, status } = definition;
  const { group, versions } = api;
  const openAPIV3Schema = {
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: definition.spec,
      ...(status === undefined ? {} : { status }),
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: {
        kind,
        listKind: `${kind}List`,
        singular,
        plural,
        shortNames,
        ...(scope === 'Namespaced' ? { categories: ['all'] } : {}),
      },
      versions: versions.map((version, position) => ({
        ...version,
        served: true,
        storage: position === 0,
        schema: { openAPIV3Schema },
        ...(definition.statusSubresource ? { subresources: { status: {} } } : {}),
        ...(columns.length > 0 ? { additionalPrinterColumns: columns } : {}),
      })),
    },
  };
}
