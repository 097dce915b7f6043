import { Caches } from '../../../../events/relay/cache/caches.ts';
import { registerLifeCycleMetrics } from '../../../../events/relay/metrics/life-cycle-metrics.ts';
import { Metrics } from '../../../../events/relay/metrics/metrics.ts';
import { MIGRATION_KIND } from '../../../../events/relay/metrics/migration/migration-kind.ts';
import { registerObjectMetrics } from '../../../../events/relay/metrics/object-metrics.ts';
import { SNAPSHOT_KIND } from '../../../../events/relay/metrics/snapshot/snapshot-family.ts';
import { vmLabelFilter } from '../../../../events/relay/metrics/vm/label-filter.ts';
import { defaultConfiguration, defaultProcessParameters } from '../../../../functions/core/configuration/defaults.ts';
import type { Kind } from '../../../../functions/core/kind.ts';
import {
  PersistentVolumeClaim,
  Pod,
  VirtualMachine,
  VirtualMachineInstance,
} from '../../../../functions/core/kinds.ts';
import type { KubeObject } from '../../../../functions/core/objects.ts';

export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const custom = (kind: string, namespaced = true): Kind => ({
  kind,
  apiVersion: 'x/v1',
  plural: `${kind.toLowerCase()}s`,
  namespaced,
  statusSubresource: true,
});

/** Kinds that a scrape looks at, those that no controller reads yet among them. */
export const kinds = {
  vmi: VirtualMachineInstance as Kind,
  vm: VirtualMachine as Kind,
  pod: Pod as Kind,
  claim: PersistentVolumeClaim as Kind,
  migration: custom(MIGRATION_KIND),
  snapshot: custom(SNAPSHOT_KIND),
  instancetype: custom('VirtualMachineInstancetype'),
  clusterInstancetype: custom('VirtualMachineClusterInstancetype', false),
  preference: custom('VirtualMachinePreference'),
};

/** Caches with objects, and what a scrape tells of them. */
export class Scrape {
  readonly caches = new Caches();
  readonly metrics = new Metrics();
  leading = true;
  labelsConfig: Record<string, string> | undefined;
  readonly #version = { next: 100 };

  constructor(objects: Partial<Record<keyof typeof kinds, readonly unknown[]>> = {}) {
    for (const [name, kind] of Object.entries(kinds)) {
      const given = (objects[name as keyof typeof kinds] ?? []) as KubeObject[];
      this.caches.of(kind).replace(given, '10', 1);
    }
    const configuration = defaultConfiguration('kubevirt', defaultProcessParameters);
    const scene = {
      caches: this.caches,
      configuration: () => configuration,
      vmLabels: () => vmLabelFilter(this.labelsConfig),
    };
    registerObjectMetrics(
      this.metrics,
      scene,
      () => this.leading,
      () => Date.parse('2026-12-01T00:00:00Z'),
    );
    registerLifeCycleMetrics(this.metrics, this.caches, () => this.leading);
  }

  /** The object changes, as a watch tells it. */
  change(kind: keyof typeof kinds, object: unknown): void {
    const version = String(this.#version.next++);
    const { metadata, ...rest } = object as KubeObject;
    this.caches.of(kinds[kind]).watched('MODIFIED', { ...rest, metadata: { ...metadata, resourceVersion: version } });
  }

  /** The series of one metric; of a histogram, its sums and counts under their own names. */
  async of(name: string): Promise<Series[]> {
    const lines = (await this.metrics.text())
      .split('\n')
      .filter((l) => l.startsWith(`${name}{`) || l.startsWith(`${name} `));
    return lines.map((line) => {
      const labels = [...line.matchAll(/([a-zA-Z_0-9]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [
        key,
        value,
      ]);
      return { labels: Object.fromEntries(labels) as Record<string, string>, value: Number(line.split(' ').at(-1)) };
    });
  }
}
