/** TPL-04, pull request 5013 of KubeVirt: launcher pods were evicted, since they asked for no ephemeral storage. */
import { expect, test } from 'vitest';
import { resources, vmi } from '../functions/launcher-pod/fixture.ts';

const STORAGE = 'ephemeral-storage';
const asking = (given: object) => {
  const { requests, limits } = resources(vmi({ domain: { devices: {}, resources: given } }));
  return [requests[STORAGE], limits[STORAGE]];
};

test("TPL-04: the launcher's own files count, on top of what the user asks for", () => {
  expect(asking({})).toEqual(['50M', undefined]);
  expect(asking({ requests: { [STORAGE]: '1G' }, limits: { [STORAGE]: '2G' } })).toEqual(['1050M', '2050M']);
});
