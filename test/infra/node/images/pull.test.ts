import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ImageSource, NeverPulled } from '../../../../infra/node/images/image-source.ts';
import type { OpenFile } from '../../../../infra/node/images/layer-disk.ts';
import { PullError, type PullFailure } from '../../../../infra/node/images/pull-error.ts';
import type { PullSecrets } from '../../../../infra/node/images/pull-secrets.ts';
import { type PullPolicy, pullPolicy } from '../../../../infra/node/images/wanted-image.ts';
import { hasSmallFileSystems, onSmallFileSystem, withoutSmallFileSystems } from '../small-file-system.ts';
import { RegistryServer } from './registry-server.ts';
import { diskLayer, type Entry, guestDisk, layer, sha256 } from './test-image.ts';

const REPOSITORY = 'disks/guest';
let folder: string;
let registry: RegistryServer;
let source: ImageSource;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vf-pull-'));
  registry = new RegistryServer();
  await registry.listen();
  source = newSource();
});
afterEach(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

const newSource = (openFile?: OpenFile, silenceMs = 10_000) =>
  new ImageSource({ imageFolder: join(folder, 'images'), cacheFolder: join(folder, 'cache'), silenceMs, openFile });
const none: PullSecrets = { names: [], configs: [], unusable: [] };
const secretFor = (key: string, username: string, password: string): PullSecrets => ({
  names: ['robot'],
  configs: [new Map([[key, { username, password }]])],
  unusable: [],
});
const obtain = (target: string, policy: PullPolicy = 'Always', secrets = none) =>
  source.obtain(
    { reference: `${registry.host}/${REPOSITORY}${target}`, pullPolicy: policy },
    () => Promise.resolve(secrets),
    new AbortController().signal,
  );
const failure = async (target: string, secrets = none): Promise<[PullFailure, string]> => {
  const error = await obtain(target, 'Always', secrets).then(
    () => new Error('it was pulled'),
    (e: unknown) => e,
  );
  if (!(error instanceof PullError)) throw error;
  // Whatever fails leaves nothing behind.
  expect(readdirSync(join(folder, 'cache/partial'))).toEqual([]);
  expect(readdirSync(join(folder, 'cache')).sort()).toEqual(['partial', 'references']);
  return [error.failure, error.message];
};
const blobsAsked = () => registry.log.filter((line) => line.includes('/blobs/')).length;

describe('a pulled image', () => {
  test('by tag and by digest: the disk is the file below /disk, its id says the digest', async () => {
    const digest = registry.addImage(REPOSITORY, 'v1', [diskLayer()]);
    const image = await obtain(':v1');
    expect(image).toMatchObject({ imageId: `${registry.host}/${REPOSITORY}@${digest}`, pathInImage: '/disk/disk.img' });
    expect(readFileSync(image.diskPath).equals(guestDisk())).toBe(true);
    expect(await obtain(`@${digest}`)).toEqual(image);
    expect(await obtain(`:other@${digest}`)).toEqual(image);
  });

  test('from an index: the image for linux on amd64, the id is the index’s', async () => {
    const arm = registry.addImage(REPOSITORY, 'arm', [diskLayer(Buffer.from('arm'))]);
    const amd = registry.addImage(REPOSITORY, 'amd', [diskLayer()]);
    const index = registry.addIndex(REPOSITORY, 'v1', { arm64: arm, amd64: amd });
    const image = await obtain(':v1');
    expect(image.imageId).toBe(`${registry.host}/${REPOSITORY}@${index}`);
    expect(readFileSync(image.diskPath).equals(guestDisk())).toBe(true);
    expect(await obtain(`@${index}`, 'IfNotPresent')).toEqual(image);
  });

  test.each(['gzip', 'zstd', 'none', 'docker'] as const)('with a layer of type %s', async (compression) => {
    const big = Buffer.alloc(3_000_000, 'virt');
    registry.addImage(REPOSITORY, 'v1', [layer([{ path: './disk/big.qcow2', content: big }], compression)]);
    const image = await obtain(':v1');
    expect(image.pathInImage).toBe('/disk/big.qcow2');
    expect(readFileSync(image.diskPath).equals(big)).toBe(true);
  });

  const low = [{ path: 'disk/low.img', content: Buffer.from('low') }];
  const high = { path: 'disk/high.img', content: Buffer.from('high') };
  test.each<[string, readonly (readonly Entry[])[], string | RegExp]>([
    ['layers that have nothing to do with it', [low, [{ path: 'etc/os', content: Buffer.from('x') }]], 'low'],
    ['a file replaced by a higher layer', [low, [{ path: 'disk/low.img', content: Buffer.from('new') }]], 'new'],
    ['a file taken away by a higher layer', [low, [{ path: 'disk/.wh.low.img' }, high]], 'high'],
    ['a folder emptied by a higher layer', [low, [{ path: 'disk/.wh..wh..opq' }, high]], 'high'],
    ['a folder taken away and made anew', [low, [{ path: '.wh.disk' }], [high]], 'high'],
    ['two files', [low, [high]], /more than one file below \/disk: high\.img, low\.img/],
    ['no file', [[{ path: 'disk/', type: 'Directory' }]], /no file below \/disk/],
    ['a file taken away', [low, [{ path: 'disk/.wh.low.img' }]], /no file below \/disk/],
    ['a folder for a file', [[{ path: 'disk/sub/', type: 'Directory' }]], /no plain file/],
    ['a link for a file', [[{ path: 'disk/a', type: 'SymbolicLink', linkpath: '/etc/shadow' }]], /no plain file/],
    ['a link for the folder', [[{ path: 'disk', type: 'SymbolicLink', linkpath: '/etc' }]], /no folder/],
  ])('%s', async (_name, layers, expected) => {
    registry.addImage(
      REPOSITORY,
      'v1',
      layers.map((entries) => layer(entries)),
    );
    if (typeof expected === 'string') {
      expect(readFileSync((await obtain(':v1')).diskPath, 'utf8')).toBe(expected);
    } else {
      expect(await failure(':v1')).toEqual(['bad-image', expect.stringMatching(expected)]);
    }
  });

  test('a blob from elsewhere: the way there is followed, with no credentials', async () => {
    const wanted = diskLayer();
    registry.addImage(REPOSITORY, 'v1', [wanted]);
    registry.access = { type: 'basic', username: 'u', password: 'p' };
    const seen: (string | undefined)[] = [];
    const store = http.createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end(wanted.blob);
    });
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
    const to = `http://127.0.0.1:${(store.address() as AddressInfo).port}/elsewhere`;
    registry.faults.set(sha256(wanted.blob), { type: 'redirected', to });
    await obtain(':v1', 'Always', secretFor(registry.host, 'u', 'p'));
    expect(seen).toEqual([undefined]);
    store.closeAllConnections();
    store.close();
  });

  test('a slow registry is waited for', async () => {
    const wanted = diskLayer();
    registry.addImage(REPOSITORY, 'v1', [wanted]);
    registry.faults.set(sha256(wanted.blob), { type: 'slow', pauseMs: 150 });
    source = newSource(undefined, 500);
    expect(readFileSync((await obtain(':v1')).diskPath).equals(guestDisk())).toBe(true);
  });
});

describe('the cache', () => {
  test('IfNotPresent asks nobody for what is there; a new agent finds it, too', async () => {
    const digest = registry.addImage(REPOSITORY, 'v1', [diskLayer()]);
    const image = await obtain(':v1', 'IfNotPresent');
    const asked = registry.log.length;
    expect(await obtain(':v1', 'IfNotPresent')).toEqual(image);
    source = newSource();
    expect(await obtain(':v1', 'IfNotPresent')).toEqual(image);
    expect(await obtain(':v1', 'Never')).toEqual(image);
    expect(registry.log.length).toBe(asked);
    expect(image.imageId).toContain(digest);
  });

  test('Always asks what the tag stands for, and fetches only what is new', async () => {
    registry.addImage(REPOSITORY, 'v1', [diskLayer()]);
    const before = await obtain(':v1');
    const asked = blobsAsked();
    expect(await obtain(':v1')).toEqual(before);
    expect(blobsAsked()).toBe(asked);
    registry.addImage(REPOSITORY, 'v1', [diskLayer(guestDisk({ powerOffAfterBeats: 1 }))]);
    const after = await obtain(':v1');
    expect(after.diskPath).not.toBe(before.diskPath);
    expect(readFileSync(after.diskPath).equals(guestDisk({ powerOffAfterBeats: 1 }))).toBe(true);
  });

  test('Never: an image that is not there is not pulled', async () => {
    registry.addImage(REPOSITORY, 'v1', [diskLayer()]);
    await expect(obtain(':v1', 'Never')).rejects.toThrow(NeverPulled);
    expect(registry.log).toEqual([]);
  });

  test('many pods at once: the image is pulled once', async () => {
    const wanted = diskLayer();
    registry.addImage(REPOSITORY, 'v1', [wanted]);
    registry.faults.set(sha256(wanted.blob), { type: 'slow', pauseMs: 20 });
    const images = await Promise.all(Array.from({ length: 5 }, () => obtain(':v1', 'IfNotPresent')));
    expect(new Set(images.map((i) => i.diskPath)).size).toBe(1);
    expect(blobsAsked()).toBe(2);
  });

  test.each([
    [undefined, 'host.example/a/b', 'Always'],
    [undefined, 'host.example/a/b:latest', 'Always'],
    [undefined, 'host.example/a/b:v1', 'IfNotPresent'],
    [undefined, `host.example/a/b@sha256:${'0'.repeat(64)}`, 'IfNotPresent'],
    ['Never', 'host.example/a/b', 'Never'],
  ])('policy %s for %s is %s', (given, reference, expected) => {
    expect(pullPolicy(given, reference)).toBe(expected);
  });
});

describe('an image that is not to be had', () => {
  test('no such tag, no such digest', async () => {
    expect(await failure(':v1')).toEqual([
      'not-found',
      expect.stringMatching(/disks\/guest:v1 is not found.*manifest unknown/),
    ]);
    expect((await failure(`@sha256:${'0'.repeat(64)}`))[0]).toBe('not-found');
  });

  test('a manifest that is not the wanted one', async () => {
    const wanted = registry.addImage(REPOSITORY, 'v1', [diskLayer()]);
    registry.addImage(REPOSITORY, 'v2', [diskLayer(Buffer.from('other'))]);
    registry.swap(REPOSITORY, wanted, 'v2');
    expect(await failure(`@${wanted}`)).toEqual(['digest-mismatch', expect.stringContaining(`instead of ${wanted}`)]);
  });

  const wanted = diskLayer();
  test.each([
    ['replaced', { type: 'replaced', by: diskLayer(Buffer.from('other')).blob }, 'digest-mismatch', /only \d+ came/],
    [
      'replaced by as many bytes',
      { type: 'replaced', by: Buffer.alloc(wanted.blob.length) },
      undefined,
      /is damaged|wrong digest/,
    ],
    ['short', { type: 'short' }, 'digest-mismatch', /only \d+ came/],
    ['cut off', { type: 'cut' }, 'unreachable', /broke off/],
    ['stalled', { type: 'stalled' }, 'unreachable', /has sent nothing for 0\.3 s/],
    ['redirected without TLS', { type: 'redirected', to: 'http://host.example/blob' }, 'refused', /without TLS/],
  ] as const)('a layer that is %s', async (_name, fault, kind, message) => {
    registry.addImage(REPOSITORY, 'v1', [wanted]);
    registry.faults.set(sha256(wanted.blob), fault);
    source = newSource(undefined, 300);
    expect(await failure(':v1')).toEqual([kind ?? expect.anything(), expect.stringMatching(message)]);
  });

  test('a layer whose content is not what the config says', async () => {
    registry.addImage(REPOSITORY, 'v1', [diskLayer()], [sha256(Buffer.from('other'))]);
    expect((await failure(':v1'))[0]).toBe('digest-mismatch');
  });

  test('a config that names other layers, an index without this platform, a manifest of old', async () => {
    registry.addImage(REPOSITORY, 'v1', [diskLayer()], []);
    expect(await failure(':v1')).toEqual(['bad-image', expect.stringContaining('names 0 layers')]);
    registry.addIndex(REPOSITORY, 'v2', { arm64: registry.addImage(REPOSITORY, 'arm', [diskLayer()]) });
    expect(await failure(':v2')).toEqual(['bad-image', expect.stringContaining('linux/amd64')]);
    registry.addManifest(REPOSITORY, 'v3', 'application/json', { schemaVersion: 1, fsLayers: [] });
    expect(await failure(':v3')).toEqual(['bad-image', expect.stringContaining('schema version 1')]);
  });

  test('a registry that is not there', async () => {
    registry.addImage(REPOSITORY, 'v1', [diskLayer()]);
    const { host } = registry;
    await registry.close();
    const wantedImage = { reference: `${host}/${REPOSITORY}:v1`, pullPolicy: 'Always' } as const;
    const pull = source.obtain(wantedImage, () => Promise.resolve(none), new AbortController().signal);
    await expect(pull).rejects.toThrow(`${host} cannot be reached: connect ECONNREFUSED`);
  });

  test('a disk that is full: the message says so, and nothing partial is left', async () => {
    registry.addImage(REPOSITORY, 'v1', [diskLayer()]);
    let written = 0;
    source = newSource(async (path) => {
      const file = await open(path, 'w');
      return {
        write: (chunk) => {
          written += chunk.length;
          if (written <= 500_000) return file.writeFile(chunk);
          return Promise.reject(Object.assign(new Error('write'), { code: 'ENOSPC' }));
        },
        sync: () => file.sync(),
        close: () => file.close(),
      };
    });
    expect(await failure(':v1')).toEqual(['no-space', expect.stringContaining('no space is left on this node')]);
    expect(written).toBeGreaterThan(500_000);
  });

  test.skipIf(!hasSmallFileSystems)(`a file system that is full${withoutSmallFileSystems}`, async () => {
    registry.addImage(REPOSITORY, 'v1', [diskLayer()]);
    const program = fileURLToPath(new URL('pull-main.ts', import.meta.url));
    const small = join(folder, 'small');
    const reference = `${registry.host}/${REPOSITORY}:v1`;
    const [command, ...args] = onSmallFileSystem(small, '600k', [process.execPath, program, small, reference]);
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(JSON.parse(said)).toEqual({
      failure: 'no-space',
      message: "no space is left on this node for the image's disk of 1048576 bytes",
      partial: [],
    });
  });

  test('a pull that is broken off leaves nothing behind', async () => {
    registry.addImage(REPOSITORY, 'v1', [wanted]);
    registry.faults.set(sha256(wanted.blob), { type: 'stalled' });
    const end = new AbortController();
    const reference = `${registry.host}/${REPOSITORY}:v1`;
    const pull = source.obtain({ reference, pullPolicy: 'Always' }, () => Promise.resolve(none), end.signal);
    setTimeout(() => end.abort(), 200);
    await expect(pull).rejects.toThrow(/abort/);
    expect(readdirSync(join(folder, 'cache/partial'))).toEqual([]);
  });
});

describe('credentials', () => {
  beforeEach(() => {
    registry.addImage(REPOSITORY, 'v1', [diskLayer()]);
  });

  test.each(['basic', 'token'] as const)('right ones are taken (%s), also after wrong ones', async (type) => {
    registry.access = { type, username: 'robot', password: 'right' };
    const exact = secretFor(`${registry.host}/${REPOSITORY}`, 'robot', 'wrong');
    const rough = secretFor(registry.host, 'robot', 'right');
    const image = await obtain(':v1', 'Always', { ...exact, configs: [...rough.configs, ...exact.configs] });
    expect(readFileSync(image.diskPath).equals(guestDisk())).toBe(true);
  });

  test.each(['basic', 'token'] as const)('none, wrong ones, and such for elsewhere (%s)', async (type) => {
    registry.access = { type, username: 'robot', password: 'right' };
    expect(await failure(':v1')).toEqual([
      'unauthorized',
      `${registry.host} denies access to ${registry.host}/${REPOSITORY}:v1 (401, authentication required); ` +
        'the pod names no imagePullSecrets',
    ]);
    const wrong = await failure(':v1', secretFor(registry.host, 'robot', 'wrong'));
    expect(wrong[1]).toContain('tried with 1 of the credentials of imagePullSecrets robot');
    const elsewhere = { ...secretFor('host.example', 'robot', 'right'), unusable: ['there is no Secret other'] };
    const [, message] = await failure(':v1', elsewhere);
    expect(message).toContain('no fitting credentials in imagePullSecrets robot; there is no Secret other');
    expect(message).not.toContain('right');
  });

  test('a registry that forbids', async () => {
    registry.access = { type: 'forbidden' };
    expect(await failure(':v1')).toEqual(['unauthorized', expect.stringContaining('(403, denied by policy)')]);
  });
});
