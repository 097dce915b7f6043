import { expect, test } from 'vitest';
import { parseAddresses } from '../../../../events/relay/function-access/address-list.ts';
import { functionAddresses } from '../../../../events/relay/function-access/function-addresses.ts';

test('one address a line, comments and empty lines aside', () => {
  expect(parseAddresses('# of staging\nvm=https://a.example/\n\n  lease=https://b.example/x?y=z\r\n')).toEqual({
    vm: 'https://a.example/',
    lease: 'https://b.example/x?y=z',
  });
});

test.each([['vm'], ['=https://a.example'], ['vm=nowhere']])('%s is refused', (line) => {
  expect(() => parseAddresses(line)).toThrow(line.split('=').at(-1));
});

test('a function without an address is told of', () => {
  expect(() => functionAddresses({ base: undefined, of: { vm: 'http://a.example' } })('vmi')).toThrow('vmi');
});
