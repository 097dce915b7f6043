import { expect, test } from 'vitest';
import { readSettings } from '../../../functions/http/settings.ts';

const good = { VIRT_FUNCTIONS_TABLE: 't', VIRT_FUNCTIONS_SIGNING_KEYS: 'k'.repeat(32) };

test('two settings are needed, the others have defaults', () => {
  expect(readSettings(good)).toEqual({
    tableName: 't',
    keys: ['k'.repeat(32)],
    backOff: [1_000, 2_000, 4_000, 8_000, 16_000],
    timeLimitMs: 10_000,
    logLevel: 'info',
  });
  expect(readSettings({ ...good, VIRT_FUNCTIONS_BACK_OFF_MS: '10,20' }).backOff).toEqual([10, 20]);
});

test.each([
  ['VIRT_FUNCTIONS_TABLE', undefined],
  ['VIRT_FUNCTIONS_SIGNING_KEYS', undefined],
  ['VIRT_FUNCTIONS_SIGNING_KEYS', 'short'],
  ['VIRT_FUNCTIONS_BACK_OFF_MS', '1,x'],
  ['VIRT_FUNCTIONS_TIME_LIMIT_MS', '-1'],
  ['VIRT_FUNCTIONS_LOG_LEVEL', 'loud'],
])('%s = %s is told by its name', (name, value) => {
  expect(() => readSettings({ ...good, [name]: value })).toThrow(name);
});
