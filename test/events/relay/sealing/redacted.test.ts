import { expect, test } from 'vitest';
import { redacted } from '../../../../events/relay/sealing/redacted.ts';

const content = (text: string, type: 'value' | 'text' = 'value') => ({
  sealed: 's',
  text,
  member: 'userData',
  namespace: 'ns',
  type,
});
const USER_DATA = '#cloud-config\npassword: canary-5f1d\nchpasswd: {expire: "no"}\n';

test.each([
  ['whole', `Invalid value: "${USER_DATA}": too long`],
  ['with escapes', `Invalid value: ${JSON.stringify(USER_DATA)}: too long`],
  ['cut short', `Invalid value: ${JSON.stringify(USER_DATA.slice(0, 40))}...: too long`],
])('what a message quotes is taken out: %s', (_name, message) => {
  const left = redacted(message, [content(USER_DATA)]);
  expect(left).not.toContain('canary');
  expect(left).not.toContain('cloud-config');
  expect(left).toContain('Invalid value: "[sealed]');
  expect(left).toContain('too long');
});

test('a short secret is found whole', () => {
  expect(redacted('no "hush" here', [content('hush')])).toBe('no "[sealed]" here');
});

test('other messages stay, also where they name what stands beside a secret', () => {
  const applied = JSON.stringify({ metadata: { name: 'a-machine-with-a-name' }, spec: { userData: USER_DATA } });
  const message = 'virtualmachines.kubevirt.io "a-machine-with-a-name" already exists';
  expect(redacted(message, [content(applied, 'text'), content(USER_DATA)])).toBe(message);
  expect(redacted(`got ${applied}`, [content(applied, 'text')])).toBe('got [sealed]');
});
