import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { createClient } from '../../../functions/store/client.ts';
import { type ControlPlane, startControlPlane } from '../../../infra/local/control-plane/start-control-plane.ts';
import { installCrds } from '../../../infra/local/crds/install-crds.ts';
import { installKubeVirt } from '../../../infra/local/crds/install-kubevirt.ts';
import { makePrivateFolder } from '../../../infra/local/paths.ts';
import { Supervisor } from '../../../infra/local/processes/supervisor.ts';
import { startEmbeddedTable } from '../../../infra/local/stack/embedded-table.ts';
import { startFunctions } from '../../../infra/local/stack/functions.ts';
import { startRelay } from '../../../infra/local/stack/relay.ts';

const SIGNING_KEYS = 'k'.repeat(32);

/** A bare stack of which everything can be read that leaves the cluster. */
export interface RecordedStack {
  readonly controlPlane: ControlPlane;
  /** Bodies of all requests to the functions, and of their answers. */
  readonly wire: readonly string[];
  /** All items of the table, as JSON. */
  table(): Promise<string>;
  /** What relay and functions have logged. */
  logs(): string;
  stop(): Promise<void>;
}

export async function startRecordedStack(): Promise<RecordedStack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'recorded-'));
  const logFolder = join(dataDir, 'logs');
  makePrivateFolder(logFolder);
  const supervisor = new Supervisor(logFolder);
  const nothing = (): void => undefined;
  const controlPlane = await startControlPlane({
    dataDir,
    scheduler: false,
    controllerManager: true,
    durable: false,
    supervisor,
  });
  await installCrds(controlPlane.request);
  await installKubeVirt(controlPlane.request, { useEmulation: false });
  const table = await startEmbeddedTable(undefined);
  const environment = { ...table.environment, VIRT_FUNCTIONS_SIGNING_KEYS: SIGNING_KEYS };
  const functions = await startFunctions(supervisor, environment, nothing);
  const recorder = await startRecorder(functions.url);
  await startRelay(supervisor, {
    kubeconfig: controlPlane.kubeconfigPath,
    functionsUrl: recorder.url,
    environment: { VIRT_FUNCTIONS_SIGNING_KEYS: SIGNING_KEYS },
    launcherImage: 'registry.example/virt-launcher:v1',
    exporterImage: 'registry.example/virt-exportserver:v1',
    replicas: 1,
    tell: nothing,
  });
  return {
    controlPlane,
    wire: recorder.bodies,
    table: () => contentsOf(table.environment),
    logs: () =>
      readdirSync(logFolder)
        .filter((file) => /^(?:relay|functions)/.test(file))
        .map((file) => readFileSync(join(logFolder, file), 'utf8'))
        .join('\n'),
    stop: async () => {
      await supervisor.stop();
      recorder.close();
      await table.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Passes requests on to another server, and keeps all bodies. */
async function startRecorder(to: string) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bytesOf(request);
      const { method, url = '/', headers } = request;
      const onward = httpRequest(new URL(url, to), { method, headers }, (answer) => {
        void bytesOf(answer).then((bytes) => {
          bodies.push(body.toString('utf8'), bytes.toString('utf8'));
          response.writeHead(answer.statusCode ?? 502, answer.headers).end(bytes);
        });
      });
      onward.on('error', () => response.destroy());
      onward.end(body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function contentsOf(environment: Readonly<Record<string, string>>): Promise<string> {
  const client = createClient({
    endpoint: environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
    region: environment['AWS_REGION'] ?? '',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { Items, LastEvaluatedKey } = await client.send(
    new ScanCommand({ TableName: environment['VIRT_FUNCTIONS_TABLE'] }),
  );
  client.destroy();
  if (LastEvaluatedKey !== undefined) throw new Error('the table is larger than one answer');
  return JSON.stringify(Items);
}
