/** TPL-06, pull request 17490 of KubeVirt: of two devices of one resource claim the second was dropped. */
import { expect, test } from 'vitest';
import { resources, vmi } from '../functions/launcher-pod/fixture.ts';

const claimsOf = (devices: object) => resources(vmi({ devices })).claims;

test.each(['gpus', 'hostDevices'])('TPL-06: %s of one claim are all kept, in their order', (list) => {
  const devices = [
    { name: 'a', claimName: 'c1', requestName: 'r1' },
    { name: 'b', claimName: 'c1', requestName: 'r2' },
  ];
  expect(claimsOf({ [list]: devices })).toEqual([
    { name: 'c1', request: 'r1' },
    { name: 'c1', request: 'r2' },
  ]);
});

test('TPL-06: a GPU of a device plugin has no claim', () => {
  const gpus = [
    { name: 'a', deviceName: 'v.com/a' },
    { name: 'b', claimName: 'c1', requestName: 'r1' },
  ];
  expect(claimsOf({ gpus })).toEqual([{ name: 'c1', request: 'r1' }]);
  expect(claimsOf({ gpus: gpus.slice(0, 1) })).toBeUndefined();
});
