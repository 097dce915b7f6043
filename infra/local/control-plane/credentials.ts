/** The files with which the control plane's parts, and its one user, trust each other. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../paths.ts';

export interface Credentials {
  /** `--cert-dir` of kube-apiserver. */
  readonly folder: string;
  /** Made by kube-apiserver at its first start: its certificate, followed by the one that signed it. */
  readonly certificateFile: string;
  readonly serviceAccountKeyFile: string;
  readonly serviceAccountPublicKeyFile: string;
  readonly tokenFile: string;
  /** Bearer token of the user `admin`, group `system:masters`. */
  readonly token: string;
}

const renewBeforeMs = 30 * 24 * 3600 * 1000;

/** Makes what is missing in the folder and keeps what is there, so that tokens stay good over restarts. */
export function prepareCredentials(folder: string): Credentials {
  makePrivateFolder(folder);
  const credentials = {
    folder,
    certificateFile: join(folder, 'apiserver.crt'),
    serviceAccountKeyFile: join(folder, 'service-account.key'),
    serviceAccountPublicKeyFile: join(folder, 'service-account.pub'),
    tokenFile: join(folder, 'tokens.csv'),
  };
  dropOldCertificate(folder, credentials.certificateFile);
  const { serviceAccountKeyFile, serviceAccountPublicKeyFile, tokenFile } = credentials;
  if (!existsSync(serviceAccountKeyFile)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeWhole(serviceAccountKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  }
  const privateKey = createPrivateKey(readFileSync(serviceAccountKeyFile));
  const publicKey = createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeWhole(serviceAccountPublicKeyFile, publicKey.export({ type: 'spki', format: 'pem' }).toString());
  if (!existsSync(tokenFile)) {
    writeWhole(tokenFile, `${randomBytes(32).toString('base64url')},admin,admin,system:masters\n`);
  }
  const token = readFileSync(tokenFile, 'utf8').split(',')[0] ?? '';
  return { ...credentials, token };
}

/** kube-apiserver keeps the pair that it finds, however old, and makes one when there is none. */
function dropOldCertificate(folder: string, certificateFile: string): void {
  if (existsSync(certificateFile) && isFresh(certificateFile)) return;
  rmSync(certificateFile, { force: true });
  rmSync(join(folder, 'apiserver.key'), { force: true });
}

function isFresh(certificateFile: string): boolean {
  try {
    return new X509Certificate(readFileSync(certificateFile)).validToDate.getTime() > Date.now() + renewBeforeMs;
  } catch {
    return false;
  }
}

/** A start that is cut off leaves no half file behind. */
function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
