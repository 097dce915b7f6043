import { describe, expect, test } from 'vitest';
import { type Change, KindCache } from '../../../events/relay/cache/kind-cache.ts';
import { Pod } from '../../../functions/core/kinds.ts';
import { byController, byNamespace } from '../../../functions/core/object-index.ts';
import { pod } from './support/objects.ts';

function cacheWith(...objects: ReturnType<typeof pod>[]) {
  const cache = new KindCache(Pod);
  cache.addIndex(byNamespace);
  cache.addIndex(byController);
  cache.replace(objects, '10', 1);
  const changes: Change[] = [];
  cache.onChange((c) => changes.push(c));
  return { cache, changes };
}
const version = (cache: KindCache, key: string) => cache.get(key)?.metadata.resourceVersion;

describe('watch events', () => {
  test('move the position and replace the object', () => {
    const { cache, changes } = cacheWith(pod('a', 5));
    cache.watched('MODIFIED', pod('a', 11));
    expect(version(cache, 'ns/a')).toBe('11');
    expect(cache.position).toBe('11');
    expect(changes).toHaveLength(1);
  });

  test('a deletion of an object that was made anew leaves the new one', () => {
    const { cache } = cacheWith(pod('a', 5, {}, 'old'));
    cache.wrote(pod('a', 20, {}, 'new'));
    cache.watched('DELETED', pod('a', 18, {}, 'old'));
    expect(cache.get('ns/a')?.metadata.uid).toBe('new');
  });
});

describe('own writes', () => {
  test('enter only above the position', () => {
    const { cache } = cacheWith(pod('a', 5));
    cache.wrote(pod('a', 9));
    expect(version(cache, 'ns/a')).toBe('5');
    cache.wrote(pod('a', 11));
    expect(version(cache, 'ns/a')).toBe('11');
    expect(cache.position).toBe('10');
  });

  test('a removed object does not come back with an event that is behind', () => {
    const { cache } = cacheWith(pod('a', 5));
    cache.removed('ns/a', 'uid-a');
    cache.watched('MODIFIED', pod('a', 11));
    expect(cache.get('ns/a')).toBeUndefined();
    cache.watched('DELETED', pod('a', 12));
    cache.watched('ADDED', pod('a', 13, {}, 'another'));
    expect(cache.get('ns/a')?.metadata.uid).toBe('another');
  });

  test('a removal names the object by uid', () => {
    const { cache } = cacheWith(pod('a', 5));
    cache.removed('ns/a', 'somebody else');
    expect(cache.get('ns/a')).toBeDefined();
  });

  test('indexes follow', () => {
    const { cache } = cacheWith();
    cache.wrote(pod('a', 11, { owner: 'o1' }));
    expect(cache.find(byController, 'o1')).toHaveLength(1);
    cache.wrote(pod('a', 12, { owner: 'o2' }));
    expect(cache.find(byController, 'o1')).toHaveLength(0);
    expect(cache.find(byController, 'o2')).toHaveLength(1);
  });
});

describe('a list', () => {
  test('always wins, backwards too, and tells of every difference', () => {
    const { cache, changes } = cacheWith(pod('a', 5), pod('b', 6));
    cache.wrote(pod('a', 30));
    changes.length = 0;
    cache.replace([pod('a', 7), pod('c', 8)], '9', 2);
    expect(version(cache, 'ns/a')).toBe('7');
    expect(cache.position).toBe('9');
    expect(cache.listedUnder).toBe(2);
    expect(changes.map((c) => [c.old?.metadata.name, c.new?.metadata.name])).toEqual([
      ['a', 'a'],
      ['b', undefined],
      [undefined, 'c'],
    ]);
    expect(cache.find(byNamespace, 'ns').map((o) => o.metadata.name)).toEqual(['a', 'c']);
  });
});

test('versions are compared as numbers of any length', () => {
  const { cache } = cacheWith(pod('a', 5));
  cache.replace([pod('a', 5)], '99999999999999999999', 1);
  cache.wrote({ ...pod('a', 5), metadata: { ...pod('a', 5).metadata, resourceVersion: '100000000000000000000' } });
  expect(version(cache, 'ns/a')).toBe('100000000000000000000');
});
