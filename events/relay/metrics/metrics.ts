/**
 * The registry behind /metrics. A part of the relay that counts something asks it for a counter, gauge or histogram by name,
 * and uses that; a name asked for again gives the same metric, so parts need not know of each other.
 *
 * ```ts
 * const dropped = metrics.counter('virt_functions_relay_dropped_actions_total', 'Actions that ...', ['controller', 'kind']);
 * dropped.inc({ controller: 'vmi', kind: 'Pod' });
 * ```
 *
 * Label values are few and known beforehand, names of objects only where the spec says so. Nothing here looks at a clock.
 */
import { Counter, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { ScrapedFamily } from './scraped-family.ts';

export class Metrics {
  readonly #registry = new Registry();

  /** For collectors that register themselves (those of the process). */
  get registry(): Registry {
    return this.#registry;
  }

  counter<const L extends string>(name: string, help: string, labels: readonly L[]): Counter<L> {
    return (
      this.#known<Counter<L>>(name) ?? new Counter({ name, help, labelNames: labels, registers: [this.#registry] })
    );
  }

  gauge<const L extends string>(name: string, help: string, labels: readonly L[]): Gauge<L> {
    return this.#known<Gauge<L>>(name) ?? new Gauge({ name, help, labelNames: labels, registers: [this.#registry] });
  }

  histogram<const L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
    buckets: readonly number[],
  ): Histogram<L> {
    return (
      this.#known<Histogram<L>>(name) ??
      new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers: [this.#registry] })
    );
  }

  /** A metric whose samples are made anew at each scrape. */
  scraped(family: ScrapedFamily): void {
    const { name, help, type } = family;
    const metric = {
      name,
      help,
      type,
      get: () => Promise.resolve({ name, help, type, values: [...family.samples()], aggregator: 'sum' }),
      reset: () => undefined,
    };
    this.#registry.registerMetric(metric as unknown as Metric);
  }

  /** All of it, in Prometheus' text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #known<T>(name: string): T | undefined {
    return this.#registry.getSingleMetric(name) as T | undefined;
  }
}
