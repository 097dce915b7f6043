import { sha256Hex } from '../core/digest.ts';

/** Numbers of seconds that may be added to the configured time: 0 to 119 (launcher-pod.md 9.1, row 1). */
const SPREAD = 120n;

/** The draw of a rendering, made from what the pod is instead of chance. */
export function qemuTimeoutSeconds(baseSeconds: number, vmiUid: string, ordinal: number): number {
  const hash = BigInt(`0x${sha256Hex(JSON.stringify(['qemu-timeout', vmiUid, ordinal]))}`);
  return baseSeconds + Number(hash % SPREAD);
}
