import { describe, expect, test } from 'vitest';
import { cpuTopology } from '../../../../functions/rules/instancetype/cpu-topology.ts';

describe('CPU topology (vm.md 10.4)', () => {
  test.each([
    [undefined, 4, [1, 4, 1]],
    ['cores', 4, [4, 1, 1]],
    ['preferCores', 4, [4, 1, 1]],
    ['sockets', 4, [1, 4, 1]],
    ['any', 4, [1, 4, 1]],
    ['preferSockets', 4, [1, 4, 1]],
    ['preferAny', 4, [1, 4, 1]],
    ['threads', 4, [1, 1, 4]],
    ['preferThreads', 4, [1, 1, 4]],
    ['spread', 4, [2, 2, 1]],
    ['preferSpread', 6, [2, 3, 1]],
    ['other', 4, [1, 1, 1]],
    ['cores', 1, [1, 1, 1]],
    ['spread', 1, [1, 1, 1]],
  ])('%s of %i vCPUs: cores, sockets, threads %j', (preferredCPUTopology, vCpus, [cores, sockets, threads]) => {
    const preference = preferredCPUTopology === undefined ? {} : { cpu: { preferredCPUTopology } };
    expect(cpuTopology(vCpus, preference)).toEqual({ cores, sockets, threads });
  });

  test.each([
    ['SocketsCores', { ratio: 4 }, undefined, [4, 2, 1]],
    ['SocketsCores', {}, 4, [4, 2, 1]],
    ['SocketsCores', { ratio: 2 }, 4, [2, 4, 1]],
    ['CoresThreads', { ratio: 2 }, undefined, [4, 1, 2]],
    ['SocketsCoresThreads', { ratio: 2 }, undefined, [2, 2, 2]],
    ['SocketsCoresThreads', {}, 4, [4, 1, 2]],
    ['SocketsCores', { ratio: 3 }, undefined, [3, 2, 1]],
    ['other', {}, undefined, [1, 1, 1]],
    ['SocketsCores', { ratio: 0 }, 0, [2, 4, 1]],
  ])('8 vCPUs spread across %s with %j and %s', (across, options, ratio, [cores, sockets, threads]) => {
    const preference = {
      cpu: { preferredCPUTopology: 'spread', spreadOptions: { across, ...options } },
      ...(ratio === undefined ? {} : { preferSpreadSocketToCoreRatio: ratio }),
    };
    expect(cpuTopology(8, preference)).toEqual({ cores, sockets, threads });
  });
});
