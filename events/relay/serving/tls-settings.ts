import type { KubeVirtConfiguration } from '../../../functions/core/newer-fields.ts';

/** Which versions and ciphers a server accepts, in the terms of Node and OpenSSL. */
export interface TlsSettings {
  readonly minVersion: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
  /** Names joined by colons; absent: the library's. */
  readonly ciphers?: string;
}

const versions: Readonly<Record<string, TlsSettings['minVersion']>> = {
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
};

/** The ciphers of TLS 1.2 that the API names, as OpenSSL names them. Those of TLS 1.3 are the library's choice. */
const ciphers: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
};

/** From `spec.configuration.tlsConfiguration` of the KubeVirt object (runtime.md 7): TLS 1.2 by default. */
export function tlsSettings(configuration: KubeVirtConfiguration | undefined): TlsSettings {
  const given = configuration?.tlsConfiguration;
  const minVersion = versions[given?.minTLSVersion ?? ''] ?? 'TLSv1.2';
  const named = (given?.ciphers ?? []).flatMap((name) => ciphers[name] ?? []);
  return minVersion === 'TLSv1.3' || named.length === 0 ? { minVersion } : { minVersion, ciphers: named.join(':') };
}
