import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultConfiguration, defaultProcessParameters } from '../../../functions/core/configuration/defaults.ts';
import { BadInput } from '../../../infra/plan/bad-input.ts';
import { commentedYaml } from '../../../infra/plan/commented-yaml.ts';
import { parseManifests } from '../../../infra/plan/manifest.ts';
import { plannedPod } from '../../../infra/plan/planned-pod.ts';
import { anyVmi } from '../../functions/launcher-pod/any-vmi.ts';

const configuration = defaultConfiguration('kubevirt', defaultProcessParameters);

function planOrLine(object: object): string {
  try {
    return parseManifests('file', JSON.stringify(object))
      .map((manifest) => commentedYaml(plannedPod(manifest, configuration, [])))
      .join('');
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
}

test('any VMI, and any VM with it as its template, gives a pod or one line', () => {
  fc.assert(
    fc.property(anyVmi({ misfit: 2, presence: 30 }), (vmi) => {
      const { metadata: _, ...identity } = { ...vmi, kind: 'VirtualMachine' };
      const vm = { ...identity, metadata: { name: 'v' }, status: undefined, spec: { template: { spec: vmi.spec } } };
      for (const object of [vmi, vm]) {
        const text = planOrLine(object);
        if (text.startsWith('# Pod of ')) expect(text).toContain('kind: Pod');
        else expect(text).toMatch(/^file(:\d+)?: [^\n]+$/);
      }
    }),
  );
});
