/** Metrics that are computed from the caches when somebody asks (runtime.md 12, "Scrape"): their series vanish with the object. */
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Caches } from '../cache/caches.ts';
import type { VmLabelFilter } from './vm/label-filter.ts';

export interface Sample<L extends string = string> {
  readonly labels: Readonly<Record<L, string>>;
  readonly value: number;
}

export interface ScrapedFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly samples: () => Iterable<Sample>;
}

/** What a scrape looks at. */
export interface Scene {
  readonly caches: Caches;
  readonly configuration: () => ClusterConfiguration | undefined;
  readonly vmLabels: () => VmLabelFilter;
}

/** A metric with some series for each object of a kind. */
export interface ObjectFamily<T extends KubeObject> {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  /** Names of its labels; `undefined`: they differ from series to series. */
  readonly labels: readonly string[] | undefined;
  readonly samplesOf: (object: T, scene: Scene) => Iterable<Sample>;
}

/** A gauge whose series all have exactly the labels named. */
export function gaugeOf<T extends KubeObject>() {
  return <const L extends string>(family: {
    readonly name: string;
    readonly help: string;
    readonly labels: readonly L[];
    readonly samplesOf: (object: T, scene: Scene) => Iterable<Sample<L>>;
  }): ObjectFamily<T> => ({ ...family, type: 'gauge' });
}

/** The labels that name an object. */
export function identityOf(object: KubeObject): { readonly namespace: string; readonly name: string } {
  return { namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}

/** Unix time in seconds; `undefined` where there is none. */
export function unixSeconds(time: string | null | undefined): number | undefined {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? undefined : ms / 1000;
}
