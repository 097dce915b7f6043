import { expect, test } from 'vitest';
import { costTags, DEFAULT_SETTINGS, readSettings } from '../../../infra/cloud/settings.ts';
import { settingTexts } from '../../../infra/cloud/synthesise.ts';

const read = (texts: Readonly<Record<string, string>>) => readSettings((setting) => texts[setting]);

test('nothing said: the defaults', () => {
  expect(read({})).toEqual(DEFAULT_SETTINGS);
  expect(read({ alarmTopicArn: '', logRetentionDays: '', tags: '', reservedConcurrency: '' })).toEqual(
    DEFAULT_SETTINGS,
  );
});

test('lists add to the defaults', () => {
  const settings = read({ reservedConcurrency: 'vm=50,vmi=20', tags: 'team=a=b', name: 'staging' });
  expect(settings.reservedConcurrency).toEqual({ lease: 10, vm: 50, vmi: 20 });
  expect(costTags(settings)).toEqual({ project: 'virt-functions', deployment: 'staging', team: 'a=b' });
});

test.each([
  [{ auth: 'none' }, 'auth'],
  [{ name: 'Über' }, 'name'],
  [{ logRetentionDays: '0' }, 'logRetentionDays'],
  [{ reservedConcurrency: 'vm' }, 'reservedConcurrency'],
  [{ reservedConcurrency: 'vm=many' }, 'reservedConcurrency'],
])('%o is refused by its name', (texts, name) => {
  expect(() => read(texts as Readonly<Record<string, string>>)).toThrow(name);
});

test('arguments of npm run synth', () => {
  expect(settingTexts(['auth=hmac', 'tags=a=b'])).toEqual({ auth: 'hmac', tags: 'a=b' });
  for (const wrong of ['auth', '=hmac', 'colour=red', 'auth=x']) expect(() => settingTexts([wrong])).toThrow();
});
