import type { DataVolume } from '../../core/objects.ts';
import type { Pass } from '../pass.ts';
import { createDataVolume } from './create-data-volume.ts';
import { nameOf } from './manifest.ts';
import { readinessOf } from './readiness.ts';

export type EnsuredDataVolumes =
  | { readonly type: 'ready' }
  | { readonly type: 'not-ready' }
  | { readonly type: 'error'; readonly message: string };

const notReady: EnsuredDataVolumes = { type: 'not-ready' };

/**
 * Creates the data volumes of the VM's templates that are not there, and says whether all can be used (vm.md 8). The first error
 * ends it. Data volumes that have failed are left as they are; they go with the VM.
 */
export function ensureDataVolumes(pass: Pass): EnsuredDataVolumes {
  let ensured: EnsuredDataVolumes = { type: 'ready' };
  for (const template of pass.vm.spec.dataVolumeTemplates ?? []) {
    const existing = pass.reads.dataVolumes.find((d) => d.metadata.name === nameOf(template));
    const one = existing === undefined ? createDataVolume(pass, template) : judge(pass, existing);
    if (one.type === 'error') return one;
    if (one.type === 'not-ready') ensured = notReady;
  }
  return ensured;
}

function judge(pass: Pass, dataVolume: DataVolume): EnsuredDataVolumes {
  const { name } = dataVolume.metadata;
  switch (readinessOf(dataVolume)) {
    case 'ready':
      return { type: 'ready' };
    case 'not-ready':
      return notReady;
    case 'failed':
      pass.event('Warning', 'FailedDataVolumeImport', `DataVolume ${name} failed to import disk image`);
      return notReady;
    case 'over-quota':
      pass.event('Warning', 'FailedDataVolumeImport', `DataVolume ${name} is over quota`);
      return { type: 'error', message: `DataVolume ${name} is over quota` };
  }
}
