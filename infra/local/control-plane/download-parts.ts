import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../paths.ts';
import { run } from '../processes/run.ts';
import type { Report } from '../progress.ts';
import { type Checksum, DownloadFailed, download, downloadText } from './download.ts';
import { partsFolder } from './find-parts.ts';
import { etcdVersion, kubernetesVersion, type PartName } from './parts.ts';

const kubernetesDownloads = 'https://dl.k8s.io';
const etcdDownloads = 'https://github.com/etcd-io/etcd/releases/download';

const megabyte = 1_000_000;
const reportEveryBytes = 4 * megabyte;
const unpackLimitMs = 120_000;

/**
 * Downloads the parts into the cache, one after another, each verified.
 *
 * Kubernetes publishes single programs with a SHA-512 beside each, etcd an archive per processor and SHA256SUMS. With
 * VIRT_FUNCTIONS_DOWNLOADS set to a base URL, Kubernetes' files are looked for under it by the same paths, etcd's
 * under `<base>/etcd`.
 *
 * @throws DownloadFailed; parts that came before stay in the cache.
 */
export async function downloadParts(names: readonly PartName[], env: Environment, report: Report): Promise<void> {
  const processor = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  if (!processor) throw new DownloadFailed('downloads', `there are none for ${process.arch}`);
  const folder = partsFolder(env);
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    const source = name === 'etcd' ? await etcdSource(env, processor) : await kubernetesSource(name, env, processor);
    const target = name === 'etcd' ? join(folder, `${source.file}.${process.pid}.part`) : join(folder, name);
    let reportedBytes = -reportEveryBytes;
    await download(source.url, source.checksum, target, (bytes, total) => {
      if (bytes - reportedBytes < reportEveryBytes && bytes !== total) return;
      reportedBytes = bytes;
      report({
        step: 'control plane',
        text: `downloading ${name}: ${inMegabytes(bytes)}${total ? ` of ${inMegabytes(total)}` : ''} MB`,
      });
    });
    if (name === 'etcd') await unpackEtcd(target, source.file, folder);
  }
}

interface Source {
  readonly url: string;
  readonly file: string;
  readonly checksum: Checksum;
}

async function kubernetesSource(name: PartName, env: Environment, processor: string): Promise<Source> {
  const base = mirror(env) ?? kubernetesDownloads;
  const url = `${base}/${kubernetesVersion}/bin/linux/${processor}/${name}`;
  const hex = /^[0-9a-f]{128}\b/.exec(await downloadText(`${url}.sha512`))?.[0];
  if (!hex) throw new DownloadFailed(`${url}.sha512`, 'is no SHA-512');
  return { url, file: name, checksum: { algorithm: 'sha512', hex } };
}

async function etcdSource(env: Environment, processor: string): Promise<Source> {
  const ownBase = mirror(env);
  const base = ownBase === undefined ? etcdDownloads : `${ownBase}/etcd`;
  const file = `etcd-${etcdVersion}-linux-${processor}.tar.gz`;
  const sums = await downloadText(`${base}/${etcdVersion}/SHA256SUMS`);
  const line = sums.split('\n').find((text) => text.trim().endsWith(` ${file}`));
  const hex = line && /^[0-9a-f]{64}\b/.exec(line)?.[0];
  if (!hex) throw new DownloadFailed(`${base}/${etcdVersion}/SHA256SUMS`, `has no checksum of ${file}`);
  return { url: `${base}/${etcdVersion}/${file}`, file, checksum: { algorithm: 'sha256', hex } };
}

function mirror(env: Environment): string | undefined {
  return env.VIRT_FUNCTIONS_DOWNLOADS?.replace(/\/+$/, '') || undefined;
}

async function unpackEtcd(archive: string, name: string, folder: string): Promise<void> {
  const unpacked = await mkdtemp(join(folder, 'etcd.part-'));
  try {
    const member = `${name.replace('.tar.gz', '')}/etcd`;
    const args = ['-xzf', archive, '-C', unpacked, '--strip-components=1', member];
    const result = await run('tar', args, { timeLimitMs: unpackLimitMs });
    if (result.kind !== 'exited' || result.code !== 0)
      throw new DownloadFailed(name, `tar can't unpack it (${result.kind})`);
    await rename(join(unpacked, 'etcd'), join(folder, 'etcd'));
  } finally {
    await rm(unpacked, { recursive: true, force: true });
    await rm(archive, { force: true });
  }
}

function inMegabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(0);
}
