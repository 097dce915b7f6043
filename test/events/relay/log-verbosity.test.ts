import { expect, test, vi } from 'vitest';
import { logVerbosity } from '../../../events/relay/log-verbosity.ts';
import { systemPorts } from '../../../events/relay/system-ports.ts';
import { defaultProcessParameters } from '../../../functions/core/configuration/defaults.ts';
import { resolveConfiguration } from '../../../functions/core/configuration/resolve.ts';
import type { KubeVirt } from '../../../functions/core/objects.ts';
import { kubeVirt } from './support/relay-harness.ts';

test.each([
  [undefined, 2],
  [{ virtController: 6 }, 6],
  [{ virtController: 6, nodeVerbosity: { me: 9 } }, 9],
  [{ nodeVerbosity: { other: 9 } }, 2],
  [{ virtController: 6, nodeVerbosity: { me: 0 } }, 6],
])('runtime case 63: logVerbosity %o is %i on the host "me"', (given, verbosity) => {
  const developerConfiguration = given === undefined ? {} : { logVerbosity: given };
  const object = kubeVirt('1', { developerConfiguration }) as KubeVirt;
  const configuration = resolveConfiguration(undefined, [object], 'kubevirt', defaultProcessParameters);
  expect(logVerbosity(configuration, 'me')).toBe(verbosity);
});

test('the verbosity of now decides which lines are written', () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  try {
    let verbosity = 2;
    const { log } = systemPorts(() => verbosity);
    log.debug('d1');
    log.info('i1');
    verbosity = 4;
    log.debug('d2');
    verbosity = 0;
    log.info('i2');
    log.warn('w');
    log.error('e');
  } finally {
    write.mockRestore();
  }
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(['i1', 'd2', 'w', 'e']);
});
