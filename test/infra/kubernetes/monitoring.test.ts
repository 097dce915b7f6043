/**
 * The Prometheus operator's definitions are not on this machine, nor is Prometheus. So the form of its objects is checked against what
 * their reference says of the members that are used, and expressions by the metrics and labels that a relay really has.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Metrics } from '../../../events/relay/metrics/metrics.ts';
import { registerShadowMetrics } from '../../../events/relay/metrics/shadow-metrics.ts';
import { ROOT } from '../../../infra/build/project.ts';
import { RelayHarness, vmiObject } from '../../events/relay/support/relay-harness.ts';

const text = (file: string) => readFileSync(join(ROOT, 'infra/kubernetes', file), 'utf8');
const object = (file: string) => parse(text(`components/monitoring/${file}`)) as unknown;

const duration = v.pipe(v.string(), v.regex(/^(\d+[smhd])+$/));
const texts = v.record(v.string(), v.string());
const common = {
  apiVersion: v.literal('monitoring.coreos.com/v1'),
  metadata: v.strictObject({ name: v.string(), namespace: v.literal('kubevirt') }),
};
const serviceMonitor = v.strictObject({
  ...common,
  kind: v.literal('ServiceMonitor'),
  spec: v.strictObject({
    selector: v.strictObject({ matchLabels: texts }),
    endpoints: v.array(
      v.strictObject({
        port: v.string(),
        scheme: v.picklist(['http', 'https']),
        tlsConfig: v.strictObject({ insecureSkipVerify: v.boolean() }),
        honorLabels: v.boolean(),
      }),
    ),
  }),
});
const rule = v.strictObject({
  alert: v.pipe(v.string(), v.regex(/^VirtFunctions[A-Z]\w+$/)),
  expr: v.string(),
  for: v.optional(duration),
  labels: v.strictObject({ severity: v.picklist(['critical', 'warning', 'info']) }),
  annotations: v.strictObject({ summary: v.string(), runbook: v.string() }),
});
const prometheusRule = v.strictObject({
  ...common,
  kind: v.literal('PrometheusRule'),
  spec: v.strictObject({ groups: v.array(v.strictObject({ name: v.string(), rules: v.array(rule) })) }),
});

test('the ServiceMonitor finds the port of the Service', () => {
  const { spec } = v.parse(serviceMonitor, object('service-monitor.yaml'));
  const service = parse(text('base/service.yaml')) as { spec: { ports: { name: string }[] } };
  expect(spec.endpoints.map(({ port }) => port)).toEqual(service.spec.ports.map(({ name }) => name));
});

const rules = v.parse(prometheusRule, object('alerts.yaml')).spec.groups.flatMap((group) => group.rules);

describe.each(rules)('$alert', ({ alert, expr, annotations }) => {
  test('has its runbook', () => {
    expect(annotations.runbook).toBe(`infra/kubernetes/runbooks.md#${alert.toLowerCase()}`);
    expect(text('runbooks.md')).toContain(`\n## ${alert}\n`);
  });

  test('asks for metrics that a relay has, by labels that they have', async () => {
    const metrics = await metricsOfRelay();
    const asked = [...expr.matchAll(/\b(?:kubevirt|virt_functions)_\w+/g)].map(([name]) =>
      name.replace(/_bucket$/, ''),
    );
    expect(asked.length).toBeGreaterThan(0);
    for (const name of asked) expect(metrics.get(name), name).toBeDefined();
    const labels = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '));
    const named = [...expr.matchAll(/(\w+)!?=~?"/g)].map(([, name = '']) => name);
    // `le` is a histogram's, `pod` the scrape's.
    for (const label of [...labels, ...named].filter((name) => name !== 'le' && name !== 'pod'))
      expect(
        asked.some((name) => metrics.get(name)?.has(label)),
        label,
      ).toBe(true);
  });

  test('is well-formed as far as brackets go, and says nothing of labels that its expression drops', () => {
    const depth = expr
      .split('')
      .reduce((d, c) => (d < 0 ? d : d + Number('([{'.includes(c)) - Number(')]}'.includes(c))), 0);
    expect(depth).toBe(0);
    for (const [, label = ''] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) expect(expr).toContain(label);
  });
});

test('every runbook is of an alert', () => {
  const sections = [...text('runbooks.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(rules.map(({ alert }) => alert));
});

/** Names of a relay's metrics, with the labels that they are declared with or show. */
async function metricsOfRelay(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const harness = new RelayHarness();
  harness.objects['virtualmachineinstances'] = [vmiObject('a', 5)];
  await harness.start();
  const shadow = new Metrics();
  registerShadowMetrics(shadow, {
    tally: { counts: [], unforeseen: [], differences: [] },
    leader: undefined,
    openWrites: 0,
  });
  const lines = `${await harness.metrics.text()}\n${await shadow.text()}`.split('\n');
  const found = new Map<string, Set<string>>();
  for (const line of lines) {
    const [, declared] = /^# TYPE (\S+)/.exec(line) ?? [];
    if (declared !== undefined) found.set(declared, new Set());
    const [, name = '', labels = ''] = /^(\w+?)(?:_bucket|_sum|_count)?\{(.*)\} /.exec(line) ?? [];
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) found.get(name)?.add(label);
  }
  // Counted only when it happens.
  for (const [name, labels] of Object.entries(sometimes)) for (const l of labels) found.get(name)?.add(l);
  return found;
}

const sometimes = {
  virt_functions_relay_refused_actions_total: ['controller', 'rule'],
  virt_functions_relay_snapshots_too_large_total: ['controller'],
};
