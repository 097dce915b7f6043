import {
  BANNER,
  BEAT,
  DISK_BOOT,
  type SampleGuest,
  TICKS_PER_BEAT,
  TICKS_PER_SECOND,
} from '../../guest/boot-sector.ts';
import type { GuestState, PluggedDisk } from '../hypervisor.ts';

/** Time from power-on to the boot sector, about what emulation takes. */
export const BOOT_MS = 1000;
export const BEAT_MS = (TICKS_PER_BEAT / TICKS_PER_SECOND) * 1000;

/** A simulated guest as it is kept on disk. Times in milliseconds since the epoch. */
export interface SimulatedGuest {
  readonly name: string;
  readonly consoleLogPath: string;
  readonly startedAtMs: number;
  /** Identifies the run of the host's kernel: no guest survives its host. */
  readonly hostBoot: string;
  /** The boot disk's program; `unknown` is any that is not the sample guest: it runs, says nothing, and obeys the power button. */
  readonly program: ({ readonly type: 'sample' } & SampleGuest) | { readonly type: 'unknown' };
  /** What the second disk counts at its boot. */
  readonly diskBoots?: number;
  /** Absent in guests of the first version. */
  readonly disks?: readonly PluggedDisk[];
  readonly ended?: { readonly atMs: number; readonly reason: 'shutdown' | 'destroyed' };
  readonly linesWritten: number;
}

/** What a guest has done by a time: its state, and all lines of its console. */
export function courseOf(
  guest: SimulatedGuest,
  hostBoot: string,
  nowMs: number,
): { readonly state: GuestState; readonly lines: readonly string[] } {
  if (guest.hostBoot !== hostBoot && guest.ended === undefined) {
    return { state: { type: 'off', reason: 'unknown' }, lines: [] };
  }
  const untilMs = (guest.ended?.atMs ?? nowMs) - guest.startedAtMs - BOOT_MS;
  const over: GuestState | undefined = guest.ended && { type: 'off', reason: guest.ended.reason };
  if (guest.program.type === 'unknown' || untilMs < 0) return { state: over ?? { type: 'running' }, lines: [] };
  const panicsAt = guest.program.panicAfterBeats || Number.POSITIVE_INFINITY;
  const powersOffAt = guest.program.powerOffAfterBeats || Number.POSITIVE_INFINITY;
  const beats = Math.min(Math.floor(untilMs / BEAT_MS), panicsAt, powersOffAt);
  const counted = guest.diskBoots === undefined ? [] : [`${DISK_BOOT}${guest.diskBoots}`];
  const lines = [BANNER, ...counted, ...Array.from({ length: beats }, (_, i) => `${BEAT}${i + 1}`)];
  if (beats === panicsAt) return { state: over ?? { type: 'crashed' }, lines };
  if (beats === powersOffAt) return { state: { type: 'off', reason: 'shutdown' }, lines };
  return { state: over ?? { type: 'running' }, lines };
}

/** The guest after its power button was pressed: the sample guest does not notice it before it has booted, or in a panic. */
export function pressed(guest: SimulatedGuest, hostBoot: string, nowMs: number): SimulatedGuest {
  const booted = nowMs - guest.startedAtMs >= BOOT_MS;
  return booted && courseOf(guest, hostBoot, nowMs).state.type === 'running'
    ? endedBy(guest, 'shutdown', nowMs)
    : guest;
}

export function endedBy(guest: SimulatedGuest, reason: 'shutdown' | 'destroyed', atMs: number): SimulatedGuest {
  return guest.ended === undefined ? { ...guest, ended: { atMs, reason } } : guest;
}
