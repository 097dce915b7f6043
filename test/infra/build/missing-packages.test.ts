import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingPackages } from '../../../infra/build/missing-packages.ts';

test('what is not installed, or in another version, is named', () => {
  const root = mkdtempSync(join(tmpdir(), 'packages-'));
  const put = (folder: string, content: object) => {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'package.json'), JSON.stringify(content));
  };
  put('.', { dependencies: { there: '1.0.0', old: '2.0.0' }, devDependencies: { '@a/absent': '3.0.0' } });
  put('node_modules/there', { version: '1.0.0' });
  put('node_modules/old', { version: '1.9.0' });
  expect(missingPackages(root)).toEqual(['old@2.0.0', '@a/absent@3.0.0']);
  rmSync(root, { recursive: true });
});
