import { Assembler } from './assembler.ts';
import { BOOT_COUNT_MARK, BOOT_COUNT_OFFSET } from './boot-count.ts';

/** What the sample guest says first on its serial port. */
export const BANNER = 'virt-functions guest up';
/** Before the count of boots that a second disk keeps. */
export const DISK_BOOT = 'disk boot ';
/** Before the number of each beat. */
export const BEAT = 'beat ';
/** Timer ticks of the BIOS (18.2 a second) between two beats: 0.99 s. */
export const TICKS_PER_BEAT = 18;
/** PC timer: 1193182 Hz divided by 65536. */
export const TICKS_PER_SECOND = 1_193_182 / 65_536;

export const SECTOR_BYTES = 512;
/** A little-endian word: panic after that many beats; 0: never. */
export const PANIC_WORD_OFFSET = 506;
/** Likewise for powering off. */
export const POWER_OFF_WORD_OFFSET = 508;
const SIGNATURE_OFFSET = 510;

/** Where the BIOS puts the sector. */
const LOAD_ADDRESS = 0x7c00;
/** Low word of the BIOS's count of timer ticks. */
const BIOS_TICKS = 0x046c;

const COM1_DATA = 0x3f8;
const COM1_LINE_STATUS = 0x3fd;
const TRANSMITTER_EMPTY = 0x20;

/** ACPI power management of the q35 machine, at the base address that its BIOS sets. */
const PM1_STATUS = 0x600;
const PM1_ENABLE = 0x602;
const PM1_CONTROL = 0x604;
/** Bit 8 of status and enable register, seen in the high byte: the power button. */
const POWER_BUTTON = 0x0100;
/** Sleep enable with sleep type 0, which QEMU takes as "soft off". */
const SOFT_OFF = 0x2000;

/** QEMU's panic device on the ISA bus, and what an operating system writes there when it has panicked. */
const PANIC_PORT = 0x505;
const PANICKED = 1;

/** The BIOS's disk services. */
const DISK_SERVICES = 0x13;
/** Function and count of sectors, for `ax`. */
const READ_ONE_SECTOR = 0x0201;
const WRITE_ONE_SECTOR = 0x0301;
/** For `cx`: the first sector of a disk, in the BIOS's old way of counting. */
const FIRST_SECTOR = 0x0001;
/** For `dx`: the BIOS numbers disks from 0x80 in the order of booting. */
const SECOND_DISK = 0x0081;
/** Where its first sector is read to: behind our own. */
const BUFFER = LOAD_ADDRESS + SECTOR_BYTES;

export interface GuestOptions {
  /** 1 to 65535; absent: the guest runs until it is stopped. */
  readonly powerOffAfterBeats?: number;
  /** 1 to 65535; absent: the guest does not panic. */
  readonly panicAfterBeats?: number;
}

/** What a sample guest's sector says; 0: never. */
export type SampleGuest = Required<GuestOptions>;

/**
 * The sample guest: one sector of 16-bit code that needs no operating system. It prints {@link BANNER} and then a counter
 * each second on COM1, powers off or panics after the beats that its own words say, and obeys the ACPI power button.
 *
 * On a second disk it counts its boots (boot-count.ts) and prints {@link DISK_BOOT} with the count; a disk that holds anything
 * else, or cannot be written, it leaves alone.
 */
export function bootSector(options: GuestOptions = {}): Uint8Array {
  const { powerOffAfterBeats = 0, panicAfterBeats = 0 } = options;
  for (const [name, beats] of Object.entries({ powerOffAfterBeats, panicAfterBeats })) {
    if (!Number.isInteger(beats) || beats < 0 || beats > 0xffff) {
      throw new RangeError(`${name} is ${beats}, not 0 to 65535`);
    }
  }
  const code = program();
  if (code.length > PANIC_WORD_OFFSET) throw new Error(`the guest's code takes ${code.length} bytes`);
  const sector = new Uint8Array(SECTOR_BYTES);
  sector.set(code);
  const view = new DataView(sector.buffer);
  view.setUint16(PANIC_WORD_OFFSET, panicAfterBeats, true);
  view.setUint16(POWER_OFF_WORD_OFFSET, powerOffAfterBeats, true);
  view.setUint16(SIGNATURE_OFFSET, 0xaa55, true);
  return sector;
}

/** The words of the guest in a sector, if the sector is the sample guest's. */
export function sampleGuestIn(sector: Uint8Array): SampleGuest | undefined {
  if (sector.length < SECTOR_BYTES) return undefined;
  const view = new DataView(sector.buffer, sector.byteOffset, SECTOR_BYTES);
  const words = {
    powerOffAfterBeats: view.getUint16(POWER_OFF_WORD_OFFSET, true),
    panicAfterBeats: view.getUint16(PANIC_WORD_OFFSET, true),
  };
  return bootSector(words).every((byte, i) => byte === sector[i]) ? words : undefined;
}

/** Registers: bp counts beats, di holds the tick at which the running beat began. */
function program(): Uint8Array {
  const a = new Assembler(LOAD_ADDRESS);

  // Flat segments, a stack below the code, timer interrupts on: the BIOS's own handler counts ticks.
  a.disableInterrupts().clear('ax').loadSegment('ds').loadSegment('es').loadSegment('ss').load('sp', LOAD_ADDRESS);
  a.farJump('start').label('start').stringsUpwards().enableInterrupts();

  a.loadAddress('si', 'banner').call('print-text');

  // One more boot on the second disk: written, read back into the same place, printed.
  a.load('dx', SECOND_DISK).load('cx', FIRST_SECTOR).load('bx', BUFFER);
  a.load('ax', READ_ONE_SECTOR).interrupt(DISK_SERVICES).jumpIfBelow('no-disk');
  a.loadFrom('ax', BUFFER).testZero('ax').jumpIfZero('count').load('bp', BOOT_COUNT_MARK).compareWith('ax', 'bp');
  a.jumpIfNotZero('no-disk').label('count').load('ax', BOOT_COUNT_MARK).storeTo(BUFFER, 'ax');
  a.loadFrom('ax', BUFFER + BOOT_COUNT_OFFSET)
    .increment('ax')
    .storeTo(BUFFER + BOOT_COUNT_OFFSET, 'ax');
  a.load('ax', WRITE_ONE_SECTOR).interrupt(DISK_SERVICES).jumpIfBelow('no-disk');
  a.load('ax', READ_ONE_SECTOR).interrupt(DISK_SERVICES).jumpIfBelow('no-disk');
  a.loadAddress('si', 'disk-boot').call('print-text');
  a.loadFrom('ax', BUFFER + BOOT_COUNT_OFFSET).call('print-number');
  a.loadAddress('si', 'end-of-line').call('print-text');
  a.label('no-disk');

  // The power button's status bit is only set while it is enabled.
  a.load('dx', PM1_ENABLE).load('ax', POWER_BUTTON).outWord();
  a.clear('bp').loadFrom('di', BIOS_TICKS);

  // Sleeps from tick to tick until a beat is over. Unsigned differences survive the counter's wrap at midnight nearly
  // always: the BIOS then starts again at 0, and one beat is short.
  a.label('wait').halt();
  a.load('dx', PM1_STATUS)
    .inWord()
    .testAh(POWER_BUTTON >> 8)
    .jumpIfNotZero('power-off');
  a.loadFrom('ax', BIOS_TICKS).subtract('ax', 'di').compare('ax', TICKS_PER_BEAT).jumpIfBelow('wait');

  a.add('di', TICKS_PER_BEAT).increment('bp');
  a.loadAddress('si', 'beat').call('print-text').copy('ax', 'bp').call('print-number');
  a.loadAddress('si', 'end-of-line').call('print-text');
  a.loadFrom('ax', LOAD_ADDRESS + PANIC_WORD_OFFSET)
    .testZero('ax')
    .jumpIfZero('no-panic');
  a.compareWith('bp', 'ax').jumpIfBelow('no-panic');
  a.load('dx', PANIC_PORT).loadAl(PANICKED).outByte().jump('stop');
  a.label('no-panic')
    .loadFrom('ax', LOAD_ADDRESS + POWER_OFF_WORD_OFFSET)
    .testZero('ax')
    .jumpIfZero('wait');
  a.compareWith('bp', 'ax').jumpIfBelow('wait');

  a.label('power-off').load('dx', PM1_CONTROL).load('ax', SOFT_OFF).outWord();
  a.label('stop').disableInterrupts().halt().jump('stop');

  // si: text that ends with a zero byte.
  a.label('print-text').loadNextByte().testAl(0xff).jumpIfZero('print-text-done');
  a.call('print-character').jump('print-text');
  a.label('print-text-done').return();

  // ax: the number. Digits come last first, so they wait on the stack; cx counts them.
  a.label('print-number').clear('cx').load('bx', 10);
  a.label('next-digit').clear('dx').divide('bx').push('dx').increment('cx').testZero('ax').jumpIfNotZero('next-digit');
  a.label('print-digit').pop('ax').addAl(0x30).call('print-character');
  a.add('cx', -1 & 0xff)
    .jumpIfNotZero('print-digit')
    .return();

  // al: the character. Waits until the transmitter is free.
  a.label('print-character').push('dx').push('ax').load('dx', COM1_LINE_STATUS);
  a.label('busy').inByte().testAl(TRANSMITTER_EMPTY).jumpIfZero('busy');
  a.pop('ax').load('dx', COM1_DATA).outByte().pop('dx').return();

  a.label('banner').text(BANNER).label('end-of-line').text('\r\n').byte(0);
  a.label('disk-boot').text(DISK_BOOT).byte(0);
  a.label('beat').text(BEAT).byte(0);
  return a.assemble();
}
