import { describe, expect, test } from 'vitest';
import { Healthz } from '../../../../events/relay/health/healthz.ts';
import { ApiUnreachable } from '../../../../events/relay/kube/errors.ts';
import type { KindHealth } from '../../../../events/relay/reflector/reflectors.ts';
import { RelayHarness } from '../support/relay-harness.ts';

function setUp() {
  const world = { asked: 0, down: false, errors: 0, trouble: undefined as string | undefined };
  const health = new Healthz(
    {
      request: <T>() => {
        world.asked++;
        return world.down
          ? Promise.reject(new ApiUnreachable('GET /version: refused'))
          : Promise.resolve({ gitVersion: 'v1.36.3' } as T);
      },
    },
    {
      errorsOf: () => world.errors,
      health: (): KindHealth[] => [{ kind: 'Pod', trouble: world.trouble, silentMs: 0, objects: 0 }],
    },
    () => '42',
  );
  return { world, health };
}

describe('/healthz', () => {
  test('runtime case 47: the first call asks for the version, later ones know it', async () => {
    const { world, health } = setUp();
    const well = {
      status: 200,
      body: {
        apiserver: { connectivity: 'ok', version: { gitVersion: 'v1.36.3' } },
        'config-resource-version': '42',
      },
    };
    expect(await health.answer()).toEqual(well);
    world.down = true;
    expect(await health.answer()).toEqual(well);
    expect(world.asked).toBe(1);
  });

  test('runtime case 48: after a failed watch of the KubeVirt object, with the API server down', async () => {
    const { world, health } = setUp();
    await health.answer();
    world.down = true;
    world.errors++;
    expect(await health.answer()).toEqual({
      status: 500,
      body: {
        apiserver: { connectivity: 'failed', error: 'GET /version: refused' },
        'config-resource-version': '42',
      },
    });
    world.down = false;
    expect((await health.answer()).status).toBe(200);
  });

  test('a kind that is not followed is told by its name', async () => {
    const { world, health } = setUp();
    world.trouble = 'no word for 60 s';
    expect(await health.answer()).toMatchObject({
      status: 500,
      body: { apiserver: { connectivity: 'failed', error: 'Pod: no word for 60 s' } },
    });
  });
});

test('a relay whose watches end in due time stays well; one whose watches fall silent does not (JS-02)', async () => {
  const h = await new RelayHarness().start();
  for (let minute = 0; minute < 5; minute++) {
    await h.time.advance(60_000);
    expect((await answered(h)).status).toBe(200);
  }
  h.endsWatches = false;
  await h.time.advance(110_000);
  const silent = await answered(h);
  expect(silent.status).toBe(500);
  expect(silent.body.apiserver).toMatchObject({ connectivity: 'failed' });
  h.endsWatches = true;
  await h.time.advance(110_000);
  expect((await answered(h)).status).toBe(200);
});

/** The version may have to be asked for, which takes time. */
async function answered(h: RelayHarness) {
  const answer = h.relay.healthz();
  await h.time.advance(10);
  return answer;
}
