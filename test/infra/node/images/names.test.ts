import { describe, expect, test } from 'vitest';
import { parseChallenge } from '../../../../infra/node/images/challenge.ts';
import { credentialsFor, parseDockerConfig } from '../../../../infra/node/images/credentials.ts';
import { imageId, isLoopback, parseReference } from '../../../../infra/node/images/reference.ts';

const DIGEST = `sha256:${'ab'.repeat(32)}`;

describe('names of images', () => {
  test.each([
    ['host.example/a', 'host.example', 'a', 'latest'],
    ['host.example:5000/a/b-c/d__e:v1.2', 'host.example:5000', 'a/b-c/d__e', 'v1.2'],
    ['localhost/a:B_1', 'localhost', 'a', 'B_1'],
    ['[::1]:5000/a:1', '[::1]:5000', 'a', '1'],
    [`host.example/a:v1@${DIGEST}`, 'host.example', 'a', DIGEST],
    [`host.example/a@${DIGEST}`, 'host.example', 'a', DIGEST],
  ])('%s', (text, registry, repository, wanted) => {
    const found = parseReference(text);
    expect(found).toMatchObject({ text, registry, repository });
    expect(found.target.type === 'tag' ? found.target.tag : found.target.digest).toBe(wanted);
    expect(imageId(found, DIGEST)).toBe(`${registry}/${repository}@${DIGEST}`);
  });

  test.each([
    '',
    'guest',
    'disks/guest:v1',
    'host.example/',
    'host.example/A',
    'host.example/a:',
    'host.example/a:v 1',
    'host.example/../a',
    'host.example/a@sha256:12',
    `host.example/a@${DIGEST}@${DIGEST}`,
    'http://host.example/a',
    'host.example/a?x=1',
    'user@host.example/a',
  ])('not %j', (text) => {
    expect(() => parseReference(text)).toThrow(/cannot be used/);
  });

  test('plain HTTP is for this machine only', () => {
    const hosts = ['localhost', 'localhost:5000', '127.0.0.1:5000', '127.1.2.3', '[::1]:5000'];
    expect(hosts.every(isLoopback)).toBe(true);
    const others = ['host.example', '10.0.0.1:5000', 'localhost.example', '127.0.0.1.example', '[::2]'];
    expect(others.some(isLoopback)).toBe(false);
  });
});

describe('credentials', () => {
  const auth = (name: string) => ({ auth: Buffer.from(`${name}:se:cret`).toString('base64') });
  const config = parseDockerConfig(
    JSON.stringify({
      auths: {
        'host.example': { username: 'all', password: 'p' },
        'host.example/team': auth('team'),
        'https://host.example/v1/': auth('old'),
        'host.example:5000': auth('port'),
        '*.example': auth('any'),
        'other.example': { username: 'incomplete' },
      },
    }),
  );
  test.each([
    ['host.example', 'team/disk', ['old', 'team', 'all', 'any']],
    ['host.example', 'teams/disk', ['old', 'all', 'any']],
    ['host.example:5000', 'team/disk', ['port']],
    ['other.example', 'disk', ['any']],
    ['sub.other.example', 'disk', []],
    ['hostXexample', 'disk', []],
  ])('for %s/%s', (registry, repository, names) => {
    expect(credentialsFor(registry, repository, [config]).map((c) => c.username)).toEqual(names);
  });

  test('a password may hold colons', () => {
    expect(config.get('host.example/team')).toEqual({ username: 'team', password: 'se:cret' });
  });
});

test.each([
  [null, undefined],
  ['Digest x="y"', undefined],
  ['Basic realm="here"', { type: 'basic' }],
  [
    'Bearer realm="https://host.example/token",service="a b",scope="repository:x:pull,push"',
    { type: 'bearer', realm: 'https://host.example/token', service: 'a b', scope: 'repository:x:pull,push' },
  ],
  ['basic realm="x", bearer realm=https://host.example/t', { type: 'bearer', realm: 'https://host.example/t' }],
])('challenge %s', (header, expected) => {
  expect(parseChallenge(header)).toEqual(expected);
});
