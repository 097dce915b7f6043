import { expect, test } from 'vitest';
import { SeededRandom } from './random.ts';

test('a seed gives always the same, and another seed another', () => {
  const drawn = (seed: number) => {
    const random = new SeededRandom(seed);
    return [random.next(), random.between(1, 6), random.uuid(), random.pick([1, 2, 3]), random.chance(0.5)];
  };
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7)).not.toEqual(drawn(8));
});

test('it is spread evenly, and uuids look like uuids', () => {
  const random = new SeededRandom(1);
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < 4000; i++) counts[random.between(0, 3)]!++;
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
});
