import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findParts } from '../../../../infra/local/control-plane/find-parts.ts';
import { isRightLine, reportedVersion } from '../../../../infra/local/control-plane/part-version.ts';
import { isComplete, partNames } from '../../../../infra/local/control-plane/parts.ts';
import { scratchFolder, writeScript } from '../scratch.ts';
import { rightVersions, versionText, writeMultiCall, writeParts } from './fake-parts.ts';

test('the version is read from the words of each part', () => {
  for (const name of partNames) {
    const version = name === 'etcd' ? '3.6.7' : 'v1.36.1';
    expect(reportedVersion(name, versionText(name, version))).toBe(`v${version.replace('v', '')}`);
    expect(reportedVersion(name, 'usage: ...')).toBeUndefined();
  }
});

test('any release of the line is right, everything else is not', () => {
  for (const version of ['v1.36.0', 'v1.36.12']) expect(isRightLine('kubectl', version)).toBe(true);
  for (const version of ['v1.35.3', 'v1.3.6', 'v2.36.3', 'v1.360.0', 'v1.36.0-rc.1']) {
    expect(isRightLine('kubectl', version)).toBe(false);
  }
  expect(isRightLine('etcd', 'v3.6.1')).toBe(true);
  expect(isRightLine('etcd', 'v3.5.21')).toBe(false);
});

test('parts come from KUBEBUILDER_ASSETS first, then from the cache', async () => {
  const folder = scratchFolder();
  const assets = join(folder, 'assets');
  const cache = join(folder, 'cache');
  writeParts(assets, ['etcd', 'kube-apiserver', 'kubectl']);
  writeParts(join(cache, 'v1.36.3'), ['kube-scheduler']);
  writeMultiCall(join(cache, 'v1.36.3', 'control-plane'));
  const { parts, rejected } = await findParts({ KUBEBUILDER_ASSETS: assets, VIRT_FUNCTIONS_CACHE: cache });
  expect(rejected).toEqual([]);
  expect(parts).toEqual({
    etcd: { file: join(assets, 'etcd'), leading: [] },
    'kube-apiserver': { file: join(assets, 'kube-apiserver'), leading: [] },
    kubectl: { file: join(assets, 'kubectl'), leading: [] },
    'kube-scheduler': { file: join(cache, 'v1.36.3', 'kube-scheduler'), leading: [] },
    'kube-controller-manager': {
      file: join(cache, 'v1.36.3', 'control-plane'),
      leading: ['kube-controller-manager'],
    },
  });
  expect(isComplete(parts)).toBe(true);
});

test('a part of another version is passed over and named', async () => {
  const folder = scratchFolder();
  const cache = join(folder, 'cache');
  writeParts(join(folder, 'old'), ['etcd', 'kube-apiserver'], {
    ...rightVersions,
    etcd: '3.5.9',
    'kube-apiserver': 'v1.35.0',
  });
  writeMultiCall(join(cache, 'v1.36.3', 'control-plane'));
  const { parts, rejected } = await findParts({ KUBEBUILDER_ASSETS: join(folder, 'old'), VIRT_FUNCTIONS_CACHE: cache });
  expect(parts.etcd?.leading).toEqual(['etcd']);
  expect(parts['kube-apiserver']?.leading).toEqual(['kube-apiserver']);
  expect([...rejected].sort()).toEqual([
    `${folder}/old/etcd is etcd v3.5.9`,
    `${folder}/old/kube-apiserver is kube-apiserver v1.35.0`,
  ]);
});

test('programs that hang, fail, or are for another machine do not count', async () => {
  const folder = scratchFolder();
  writeScript(join(folder, 'etcd'), 'sleep 1000');
  writeScript(join(folder, 'kubectl'), 'exit 1');
  writeFileSync(join(folder, 'kube-scheduler'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 1, 2, 3]), { mode: 0o755 });
  const { parts, rejected } = await findParts({
    KUBEBUILDER_ASSETS: folder,
    VIRT_FUNCTIONS_CACHE: join(folder, 'none'),
  });
  expect(parts).toEqual({});
  expect(rejected).toHaveLength(3);
  expect(rejected).toContain(`${folder}/etcd does not answer`);
  expect(rejected).toContain(`${folder}/kubectl reports no version (code 1)`);
});
