import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cacheRoot, dataFolder, socketFolder } from '../../../infra/local/paths.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vf-paths-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('folders', () => {
  test('follow XDG, and their own variables before that', () => {
    expect(cacheRoot({ HOME: '/home/u' })).toBe('/home/u/.cache/virt-functions');
    expect(cacheRoot({ HOME: '/home/u', XDG_CACHE_HOME: '/x' })).toBe('/x/virt-functions');
    expect(cacheRoot({ HOME: '/home/u', XDG_CACHE_HOME: 'relative' })).toBe('/home/u/.cache/virt-functions');
    expect(cacheRoot({ XDG_CACHE_HOME: '/x', VIRT_FUNCTIONS_CACHE: '/own' })).toBe('/own');
    expect(dataFolder({ HOME: '/home/u' })).toMatch(/^\/home\/u\/\.local\/state\/virt-functions\/[0-9a-f]{12}$/);
    expect(dataFolder({ XDG_STATE_HOME: '/s', VIRT_FUNCTIONS_DATA: '/own' })).toBe('/own');
  });

  test('two checkouts have different data', () => {
    expect(dataFolder({ HOME: '/home/u' }, folder)).not.toBe(dataFolder({ HOME: '/home/u' }, tmpdir()));
  });
});

describe('sockets', () => {
  test('lie in the data folder where its path is short enough', () => {
    expect(socketFolder(folder, 20, {})).toBe(join(folder, 'run'));
    expect(statSync(join(folder, 'run')).mode & 0o777).toBe(0o700);
  });

  test('lie in a short private folder where it is not', () => {
    const sockets = socketFolder(join(folder, 'x'.repeat(100)), 60, { XDG_RUNTIME_DIR: folder });
    expect(sockets.startsWith(`${folder}/vf-`)).toBe(true);
    expect(sockets.length + 1 + 60).toBeLessThanOrEqual(107);
    expect(statSync(sockets).mode & 0o777).toBe(0o700);
  });

  test('no folder is short enough for a name of 107 bytes', () => {
    expect(() => socketFolder(folder, 107, {})).toThrow('VIRT_FUNCTIONS_DATA');
  });
});
