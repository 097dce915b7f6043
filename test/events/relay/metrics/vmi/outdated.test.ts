import { describe, expect, test } from 'vitest';
import { defaultProcessParameters } from '../../../../../functions/core/configuration/defaults.ts';
import { Scrape } from '../../support/scrape.ts';

const current = defaultProcessParameters.launcherImage;
const vmi = (status: object, metadata: object = {}) => ({
  metadata: { name: 'a', namespace: 'ns', uid: 'a', resourceVersion: '1', ...metadata },
  spec: {},
  status: { phase: 'Running', launcherContainerImageVersion: current, ...status },
});
const count = async (...instances: object[]) => {
  const named = instances.map((i, n) => {
    const { metadata } = i as ReturnType<typeof vmi>;
    return { ...i, metadata: { ...metadata, name: `a${n}` } };
  });
  return (await new Scrape({ vmi: named }).of('kubevirt_vmi_number_of_outdated'))[0]?.value;
};
const condition = (type: string, status: string) => ({ conditions: [{ type, status }] });

describe('running VMIs that are to be updated are counted (evacuation.md 4.5)', () => {
  test('another launcher', async () => {
    expect(await count(vmi({}), vmi({ launcherContainerImageVersion: 'older' }))).toBe(1);
  });

  test('evacuation case 43: an image that is not known is not outdated', async () => {
    expect(await count(vmi({ launcherContainerImageVersion: '' }))).toBe(0);
  });

  test('evacuation case 45: a change that waits for a migration', async () => {
    expect(await count(vmi(condition('HotMemoryChange', 'True')), vmi(condition('HotMemoryChange', 'False')))).toBe(1);
    expect(await count(vmi(condition('HotVCPUChange', 'False')))).toBe(1);
  });

  test('not while it migrates, unless the image is older too', async () => {
    const migrationState = { startTimestamp: '2026-11-30T23:59:00Z' };
    expect(await count(vmi({ ...condition('VolumesChange', 'True'), migrationState }))).toBe(0);
    expect(await count(vmi({ launcherContainerImageVersion: 'older', migrationState }))).toBe(1);
  });

  test('neither what does not run nor what goes', async () => {
    const older = { launcherContainerImageVersion: 'older' };
    expect(await count(vmi({ ...older, phase: 'Succeeded' }))).toBe(0);
    expect(await count(vmi(older, { deletionTimestamp: '2026-12-01T00:00:00Z' }))).toBe(0);
  });
});
