import type { AnswerItem } from '../../events/envelope/envelope.ts';
import { MAX_BATCH_BYTES } from '../../events/envelope/limits.ts';

export type Fit =
  | 'fits'
  /** Not beside what is already there. */
  | 'left'
  /** Not even alone. */
  | 'too-large';

/** The room of one answer, 4 MB encoded. Items take it in their order; a later, smaller one may fit where one did not. */
export class AnswerRoom {
  #usedBytes = 0;

  take(item: AnswerItem): Fit {
    const sizeBytes = Buffer.byteLength(JSON.stringify(item));
    if (sizeBytes > MAX_BATCH_BYTES) return 'too-large';
    if (this.#usedBytes + sizeBytes > MAX_BATCH_BYTES) return 'left';
    this.#usedBytes += sizeBytes;
    return 'fits';
  }
}
