import type { Node } from '../core/objects.ts';
import { annotation } from './names.ts';

/**
 * What the heartbeat says of a node (node.md A4, step 1).
 *
 * | node | result |
 * |---|---|
 * | not there | `unresponsive` |
 * | never had a heartbeat | `responsive` |
 * | heartbeat is no time | `unreadable` |
 * | heartbeat older than five minutes | `unresponsive` |
 * | else, the future included | `responsive` |
 */
export type Responsiveness = 'responsive' | 'unresponsive' | 'unreadable';

const TIME_OUT_MS = 5 * 60_000;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

export function responsiveness(node: Node | undefined, nowMs: number): Responsiveness {
  if (node === undefined) return 'unresponsive';
  const heartbeat = node.metadata.annotations?.[annotation.heartbeat];
  if (heartbeat === undefined) return 'responsive';
  const beatMs = RFC_3339.test(heartbeat) ? Date.parse(heartbeat) : Number.NaN;
  if (Number.isNaN(beatMs)) return 'unreadable';
  return beatMs < nowMs - TIME_OUT_MS ? 'unresponsive' : 'responsive';
}
