/** A certificate and its key from two files, followed as they change. */
import { existsSync, readFileSync, unwatchFile, watchFile } from 'node:fs';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** `undefined`: one of the files is not there. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate | undefined {
  if (!existsSync(certFile) || !existsSync(keyFile)) return undefined;
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}

/**
 * Calls back after a change of either file; returns how to stop. Looks at the files themselves now and then: kubelet swaps a whole
 * folder by a link, of which the system tells nobody who watches the files.
 */
export function followCertificate(
  { certFile, keyFile }: CertificateFiles,
  lookEveryMs: number,
  onChange: () => void,
): () => void {
  for (const file of [certFile, keyFile]) watchFile(file, { interval: lookEveryMs, persistent: false }, onChange);
  return () => {
    for (const file of [certFile, keyFile]) unwatchFile(file, onChange);
  };
}
