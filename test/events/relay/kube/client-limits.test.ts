import { expect, test } from 'vitest';
import { clientLimits } from '../../../../events/relay/kube/client-limits.ts';
import { RateLimiter } from '../../../../events/relay/kube/limiter.ts';
import { defaultProcessParameters } from '../../../../functions/core/configuration/defaults.ts';
import { resolveConfiguration } from '../../../../functions/core/configuration/resolve.ts';
import type { KubeVirt } from '../../../../functions/core/objects.ts';
import { kubeVirt } from '../support/relay-harness.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const limitsOf = (tokenBucketRateLimiter: object | undefined) => {
  const restClient = tokenBucketRateLimiter === undefined ? {} : { rateLimiter: { tokenBucketRateLimiter } };
  const object = kubeVirt('1', { controllerConfiguration: { restClient } }) as KubeVirt;
  return clientLimits(resolveConfiguration(undefined, [object], 'kubevirt', defaultProcessParameters));
};

test.each([
  [
    { qps: 50, burst: 60 },
    { qps: 50, burst: 60 },
  ],
  [undefined, { qps: 200, burst: 400 }],
  [
    { qps: 0, burst: 60 },
    { qps: 200, burst: 60 },
  ],
  [
    { qps: 50, burst: 0 },
    { qps: 50, burst: 400 },
  ],
  [
    { qps: 0, burst: 0 },
    { qps: 200, burst: 400 },
  ],
])('runtime case 62: %o gives %o', (given, limits) => {
  expect(limitsOf(given)).toEqual(limits);
});

test('a new bucket holds for requests from now on; those that wait go at their time', async () => {
  const time = new VirtualTime();
  const limiter = new RateLimiter(time.ports.clock, time.ports.timers);
  const start = time.now;
  const went: number[] = [];
  const go = () => void limiter.admit(60_000).then(() => went.push(time.now - start));
  limiter.configure(1, 1);
  go();
  go();
  await time.advance(100);
  limiter.configure(50, 2);
  go();
  go();
  go();
  await time.advance(2000);
  expect(went).toEqual([0, 100, 100, 120, 1000]);
});
