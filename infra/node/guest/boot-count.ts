import { open } from 'node:fs/promises';

/**
 * The first bytes of the sample guest's second disk, little-endian words: a mark (0 on a disk that was never used), and how
 * often the guest has booted with this disk.
 */
export const BOOT_COUNT_MARK = 0x4656;
export const BOOT_COUNT_OFFSET = 2;

const WORDS_BYTES = 4;

/**
 * Counts one more boot on a raw disk, as the sample guest's own code does; the count, or undefined for a disk that holds
 * something else. Throws as `node:fs` does.
 */
export async function countBoot(path: string): Promise<number | undefined> {
  const file = await open(path, 'r+');
  try {
    const words = Buffer.alloc(WORDS_BYTES);
    const { bytesRead } = await file.read(words, 0, WORDS_BYTES, 0);
    const mark = words.readUInt16LE(0);
    if (bytesRead < WORDS_BYTES || (mark !== 0 && mark !== BOOT_COUNT_MARK)) return undefined;
    const count = (words.readUInt16LE(BOOT_COUNT_OFFSET) + 1) & 0xffff;
    words.writeUInt16LE(BOOT_COUNT_MARK, 0);
    words.writeUInt16LE(count, BOOT_COUNT_OFFSET);
    await file.write(words, 0, WORDS_BYTES, 0);
    return count;
  } finally {
    await file.close();
  }
}
