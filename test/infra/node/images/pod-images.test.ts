import { beforeEach, describe, expect, test } from 'vitest';
import { IMAGE_BACK_OFF, pauseMs } from '../../../../infra/node/images/back-off.ts';
import { type ImageSource, NeverPulled, type ReadyImage } from '../../../../infra/node/images/image-source.ts';
import { PodImages } from '../../../../infra/node/images/pod-images.ts';
import { PullError } from '../../../../infra/node/images/pull-error.ts';

const wanted = { reference: 'host.example/a:v1', pullPolicy: 'Always' } as const;
const ready: ReadyImage = { diskPath: 'disk', imageId: 'host.example/a@sha256:1' };
const missing = new PullError('not-found', 'it is not there');
let nowMs: number;
let attempts: number;
let outcome: ReadyImage | Error;
let images: PodImages;
beforeEach(() => {
  nowMs = 0;
  attempts = 0;
  outcome = missing;
  const source = {
    obtain: () => {
      attempts++;
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    },
  } as unknown as ImageSource;
  images = new PodImages(source, { nowMs: () => nowMs, log: () => {} });
});
const ask = (podUid = 'pod') =>
  images.ask(
    podUid,
    wanted,
    () => Promise.reject(new Error('not asked for')),
    () => {},
  );
/** What is told once the attempt that this began has ended. */
const settled = async (podUid?: string) => {
  ask(podUid);
  await new Promise((resolve) => setImmediate(resolve));
  return ask(podUid);
};
const reasonAfter = (ms: number) => {
  nowMs += ms;
  const state = ask();
  return state.type === 'failed' ? state.reason : state.type;
};

describe('images for pods', () => {
  test('one that is on its way, and then there: it is fetched once', async () => {
    outcome = ready;
    expect(ask()).toEqual({ type: 'pulling' });
    expect(await settled()).toEqual({ type: 'ready', image: ready });
    nowMs += 1e9;
    expect(await settled()).toEqual({ type: 'ready', image: ready });
    expect(attempts).toBe(1);
  });

  test('one that is not there: the error, then the pause, then the next attempt', async () => {
    expect(await settled()).toEqual({ type: 'failed', reason: 'ErrImagePull', message: 'it is not there' });
    expect(reasonAfter(1999)).toBe('ErrImagePull');
    expect(reasonAfter(1)).toBe('ImagePullBackOff');
    expect(ask()).toMatchObject({
      message: 'Back-off pulling image "host.example/a:v1": ErrImagePull: it is not there',
    });
    expect(reasonAfter(7999)).toBe('ImagePullBackOff');
    expect(attempts).toBe(1);
    // The old answer stands while the next attempt is under way.
    expect(reasonAfter(1)).toBe('ImagePullBackOff');
    expect(attempts).toBe(2);
    expect(await settled()).toMatchObject({ reason: 'ErrImagePull' });
    nowMs += 19_999;
    ask();
    expect(attempts).toBe(2);
    outcome = ready;
    nowMs += 1;
    expect(await settled()).toMatchObject({ type: 'ready' });
  });

  test('pauses double from 10 s to 5 min', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 100].map((n) => pauseMs(IMAGE_BACK_OFF, n) / 1000);
    expect(pauses).toEqual([10, 20, 40, 80, 160, 300, 300]);
  });

  test('each pod has pauses of its own; a pod that is gone leaves none behind', async () => {
    await settled('one');
    await settled('two');
    expect(attempts).toBe(2);
    images.retain(new Set(['two']));
    await settled('one');
    await settled('two');
    expect(attempts).toBe(3);
  });

  test.each([
    [new NeverPulled('host.example/a:v1'), 'ErrImageNeverPull'],
    [new PullError('invalid-name', 'what a name'), 'InvalidImageName'],
    [new Error('the API server is away'), 'ErrImagePull'],
  ])('%s', async (error, reason) => {
    outcome = error;
    expect(await settled()).toMatchObject({ reason, message: error.message });
  });
});
