/** The conformance suite's own modules, as a simulated world uses them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suiteFolder } from '../../conformance/suite.ts';
import type { CustomResourceDefinition } from '../api-server/resources/custom-resource.ts';

/** A namespace's objects as the suite compares them: `Kind/name` to object, `Events` to a list. */
export type State = Readonly<Record<string, unknown>>;

export interface SettleOptions {
  readonly quiet?: number;
  readonly limit?: number;
}

export interface Scenario {
  readonly namespace: string;
  readonly checkpoints: Record<string, State>;
  begin(): Promise<void>;
  configure(configuration: object): Promise<void>;
  patch(object: { readonly kind: string }, body: unknown, subresource?: string): Promise<unknown>;
  delete(kind: string, name: string, options?: object): Promise<unknown>;
  settle(label: string, options?: SettleOptions): Promise<void>;
  waitFor<T>(what: string, probe: () => Promise<T>, seconds?: number): Promise<T>;
}

export interface KubeClient {
  request(method: string, path: string, body?: unknown, contentType?: string): Promise<unknown>;
}

export interface Clock {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

export interface Suite {
  readonly Scenario: new (kube: KubeClient, name: string, suffix: string) => Scenario;
  readonly clock: Clock;
  readonly ApiError: new (status: number, body: unknown, what: string) => Error;
  readonly difference: (golden: unknown, actual: unknown) => string[];
  readonly definitions: readonly CustomResourceDefinition[];
}

const load = (file: string): Promise<unknown> => import(join(suiteFolder, file));

let loaded: Promise<Suite> | undefined;

export function loadSuite(): Promise<Suite> {
  loaded ??= read();
  return loaded;
}

async function read(): Promise<Suite> {
  const { Scenario } = (await load('scenario.mjs')) as Pick<Suite, 'Scenario'>;
  const { clock } = (await load('clock.mjs')) as Pick<Suite, 'clock'>;
  const { ApiError } = (await load('kube.mjs')) as Pick<Suite, 'ApiError'>;
  const { difference } = (await load('normalise.mjs')) as Pick<Suite, 'difference'>;
  const folder = join(suiteFolder, 'crds');
  const definitions = readdirSync(folder).flatMap(
    (file) => [JSON.parse(readFileSync(join(folder, file), 'utf8'))].flat() as CustomResourceDefinition[],
  );
  return { Scenario, clock, ApiError, difference, definitions };
}

/** What a scenario does. */
export async function scenarioCourse(name: string): Promise<(scenario: Scenario) => Promise<void>> {
  const module = (await load(join('scenarios', `${name}.mjs`))) as { default: (scenario: Scenario) => Promise<void> };
  return module.default;
}

/** What the original wrote, checkpoint by checkpoint. */
export function goldenOf(name: string): Readonly<Record<string, State>> {
  const read = golden.get(name) ?? readGolden(name);
  golden.set(name, read);
  return read;
}

const golden = new Map<string, Readonly<Record<string, State>>>();

function readGolden(name: string): Readonly<Record<string, State>> {
  return JSON.parse(readFileSync(join(suiteFolder, 'golden', `${name}.json`), 'utf8')) as Record<string, State>;
}
