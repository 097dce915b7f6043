import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate for a name, signed with its own key, valid for a day. Just enough of X.509 for a TLS server. */
export function selfSigned(name: string): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
  const commonName = sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(name)));
  const subject = sequence(der(0x31, commonName));
  const validity = sequence(utcTime(Date.now() - 3_600_000), utcTime(Date.now() + 24 * 3_600_000));
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(serial, algorithm, subject, validity, subject, publicInfo);
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const base64 = sequence(body, algorithm, signature)
    .toString('base64')
    .replaceAll(/(.{64})/g, '$1\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function der(tag: number, content: Buffer): Buffer {
  const n = content.length;
  const length = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
