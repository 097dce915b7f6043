import { open } from 'node:fs/promises';
import { bootSector, type GuestOptions, type SampleGuest, SECTOR_BYTES, sampleGuestIn } from './boot-sector.ts';

/** A raw disk of 1 MiB: the sector, then a hole. */
const IMAGE_BYTES = 1024 * 1024;

/** Writes the sample guest's disk image, raw format, over whatever is at the path. */
export async function writeGuestImage(path: string, options: GuestOptions = {}): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.write(bootSector(options));
    await file.truncate(IMAGE_BYTES);
  } finally {
    await file.close();
  }
}

/** The sample guest on a disk, if it is one. */
export async function sampleGuestOn(path: string): Promise<SampleGuest | undefined> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SECTOR_BYTES), 0, SECTOR_BYTES, 0);
    return sampleGuestIn(new Uint8Array(buffer.buffer, buffer.byteOffset, bytesRead));
  } finally {
    await file.close();
  }
}
