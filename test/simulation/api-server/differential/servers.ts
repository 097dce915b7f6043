/** A real kube-apiserver beside the model, with the same definitions. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startControlPlane } from '../../../../infra/local/control-plane/start-control-plane.ts';
import { suiteFolder } from '../../../conformance/suite.ts';
import type { ApiServer } from '../api-server.ts';
import { isObj, objsAt, textAt, type Value } from '../json/value.ts';
import type { CustomResourceDefinition } from '../resources/custom-resource.ts';
import { modelTarget } from './model-target.ts';
import { type Normal, normal } from './normal.ts';
import { play } from './play.ts';
import { realTarget } from './real-target.ts';
import type { Sequence } from './steps.ts';
import type { Target } from './target.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const HANG_MS = 60_000;

export interface Servers {
  readonly model: { readonly server: ApiServer; readonly target: Target };
  readonly real: Target;
  /** Plays a sequence on both, each in a new namespace. */
  compare(sequence: Sequence): Promise<{ model: Normal; real: Normal }>;
  stop(): Promise<void>;
}

export function suiteDefinitions(): CustomResourceDefinition[] {
  const folder = join(suiteFolder, 'crds');
  return readdirSync(folder).flatMap((file) => {
    const content = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CustomResourceDefinition;
    return Array.isArray(content) ? (content as CustomResourceDefinition[]) : [content];
  });
}

export async function startServers(
  controllerManager: boolean,
  definitions: readonly CustomResourceDefinition[] = suiteDefinitions(),
): Promise<Servers> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vf-'));
  const plane = await startControlPlane({ dataDir, scheduler: false, controllerManager, durable: false });
  const real = realTarget(plane.kubeconfigPath);
  const model = modelTarget(definitions);
  await define(real, definitions);
  const run = Date.now().toString(36).slice(-4);
  let count = 0;
  return {
    model,
    real,
    compare: async (sequence) => {
      const namespace = `d${run}${(count++).toString(36).padStart(3, '0')}`;
      const transcripts = [];
      for (const target of [model.target, real]) {
        await prepare(target, namespace);
        transcripts.push(normal(await play(target, namespace, sequence), namespace));
      }
      const [ofModel, ofReal] = transcripts as [Normal, Normal];
      return { model: ofModel, real: ofReal };
    },
    stop: async () => {
      await plane.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Without kube-controller-manager nobody makes the service account that pods need. */
async function prepare(target: Target, namespace: string): Promise<void> {
  await target.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await target.request('POST', path, { metadata: { name: 'default' } });
}

async function define(real: Target, definitions: readonly CustomResourceDefinition[]): Promise<void> {
  for (const definition of definitions) await real.request('POST', definitionsPath, definition as unknown as Value);
  const paths = definitions.map((d) => {
    const version = d.spec.versions.find((v) => v.storage)?.name ?? '';
    return `/apis/${d.spec.group}/${version}/${d.spec.names.plural}`;
  });
  const deadline = performance.now() + HANG_MS;
  for (const path of paths) {
    // Established is not yet served.
    for (;;) {
      const { status, body } = await real.request('GET', path);
      if (status === 200 && isObj(body) && textAt(body, 'kind') !== undefined && objsAt(body, 'items').length === 0)
        break;
      if (performance.now() > deadline) throw new Error(`${path} is not served`);
      await sleep(50);
    }
  }
}
