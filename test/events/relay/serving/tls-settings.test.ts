import { expect, test } from 'vitest';
import { tlsSettings } from '../../../../events/relay/serving/tls-settings.ts';

test.each([
  [undefined, { minVersion: 'TLSv1.2' }],
  [{}, { minVersion: 'TLSv1.2' }],
  [{ minTLSVersion: 'VersionTLS13' }, { minVersion: 'TLSv1.3' }],
  [
    { minTLSVersion: 'VersionTLS12', ciphers: ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'TLS_UNKNOWN'] },
    { minVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES256-GCM-SHA384' },
  ],
] as const)('%o', (tlsConfiguration, settings) => {
  const given = tlsConfiguration === undefined ? {} : { tlsConfiguration };
  expect(tlsSettings(given as Parameters<typeof tlsSettings>[0])).toEqual(settings);
});
