import { afterEach } from 'vitest';
import { type Stored, World } from './world.ts';

const made: World[] = [];

/** A world with these objects. After the test it must come to rest: a pass over an unchanged world writes nothing. */
export function worldOf(...objects: readonly Stored[]): World {
  const world = new World(...objects);
  made.push(world);
  return world;
}

afterEach(() => {
  for (const world of made.splice(0)) world.expectCalm();
});
