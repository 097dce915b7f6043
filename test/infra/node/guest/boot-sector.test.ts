import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Assembler } from '../../../../infra/node/guest/assembler.ts';
import { bootSector, sampleGuestIn } from '../../../../infra/node/guest/boot-sector.ts';
import { sampleGuestOn, writeGuestImage } from '../../../../infra/node/guest/image.ts';

describe('boot sector', () => {
  test('is one sector that a BIOS takes for bootable', () => {
    const sector = bootSector();
    expect(sector.length).toBe(512);
    expect([...sector.subarray(510)]).toEqual([0x55, 0xaa]);
  });

  test('begins with interrupts off, flat segments and a jump to segment 0', () => {
    expect(Buffer.from(bootSector().subarray(0, 17)).toString('hex')).toBe(
      // cli; xor ax,ax; mov ds,ax; mov es,ax; mov ss,ax; mov sp,7c00; jmp 0:7c11
      'fa33c08ed88ec08ed0bc007cea117c0000',
    );
  });

  test('carries the beats after which it powers off or panics in words of their own', () => {
    expect([...bootSector({ powerOffAfterBeats: 0x0103 }).subarray(508, 510)]).toEqual([0x03, 0x01]);
    expect([...bootSector({ panicAfterBeats: 2 }).subarray(506, 510)]).toEqual([2, 0, 0, 0]);
    expect([...bootSector().subarray(506, 510)]).toEqual([0, 0, 0, 0]);
  });

  test.each([-1, 65_536, 1.5])('refuses %s beats', (powerOffAfterBeats) => {
    expect(() => bootSector({ powerOffAfterBeats })).toThrow(RangeError);
  });

  test('is recognised, whatever its word says, and nothing else is', () => {
    expect(sampleGuestIn(bootSector({ powerOffAfterBeats: 7 }))).toEqual({ powerOffAfterBeats: 7, panicAfterBeats: 0 });
    expect(sampleGuestIn(bootSector({ panicAfterBeats: 7 }))).toEqual({ powerOffAfterBeats: 0, panicAfterBeats: 7 });
    const other = bootSector();
    other[0] = 0x90;
    expect(sampleGuestIn(other)).toBeUndefined();
    expect(sampleGuestIn(new Uint8Array(100))).toBeUndefined();
  });
});

describe('guest image', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vf-test-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('is a disk of 1 MiB with the sector first', async () => {
    const path = join(folder, 'guest');
    await writeGuestImage(path, { powerOffAfterBeats: 3 });
    expect((await stat(path)).size).toBe(1024 * 1024);
    const disk = await readFile(path);
    expect(disk.subarray(0, 512).equals(bootSector({ powerOffAfterBeats: 3 }))).toBe(true);
    expect(disk.subarray(512).every((byte) => byte === 0)).toBe(true);
    expect(await sampleGuestOn(path)).toEqual({ powerOffAfterBeats: 3, panicAfterBeats: 0 });
  });
});

describe('assembler', () => {
  test('fills in jumps backwards and forwards, and addresses', () => {
    const code = new Assembler(0x100).label('a').jump('b').jump('a').label('b').loadAddress('si', 'b').assemble();
    expect([...code]).toEqual([0xeb, 2, 0xeb, -4 & 0xff, 0xbe, 0x04, 0x01]);
  });

  test('refuses a short jump that reaches too far, and a missing label', () => {
    const far = new Assembler(0).jump('end').text('x'.repeat(200)).label('end');
    expect(() => far.assemble()).toThrow(/reaches 200/);
    expect(() => new Assembler(0).call('nowhere').assemble()).toThrow(/nowhere/);
  });
});
