import { createHash } from 'node:crypto';

/** libvirt makes file names of it. */
const LIMIT = 200;

/** `<namespace>_<name>`, as KubeVirt names domains; neither part can hold an underscore. Very long ones end in a hash. */
export function domainName(namespace: string, vmiName: string): string {
  const name = `${namespace}_${vmiName}`;
  if (name.length <= LIMIT) return name;
  return `${name.slice(0, LIMIT - 11)}-${createHash('sha256').update(name).digest('hex').slice(0, 10)}`;
}
