import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { countBoot } from '../../guest/boot-count.ts';
import { sampleGuestOn } from '../../guest/image.ts';
import type { GuestDefinition, GuestDisk } from '../guest-definition.ts';
import { hostBoot } from '../host-boot.ts';
import {
  type GuestState,
  type HostDescription,
  type Hypervisor,
  HypervisorError,
  type PluggedDisk,
  type StartedGuest,
} from '../hypervisor.ts';
import { courseOf, endedBy, pressed, type SimulatedGuest } from './simulated-guest.ts';

const STEP_MS = 250;
const MACHINE = 'pc-q35-simulated';

/**
 * Stands in where QEMU or libvirt are missing: no machine runs, but each guest's course is worked out from its boot disk and
 * the clock, and its console lines are written when they are due. Guests are kept on disk and go on when the agent comes back.
 */
export class SimulatedHypervisor implements Hypervisor {
  readonly kind = 'simulated';
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #guests = new Map<string, SimulatedGuest>();
  readonly #listeners: (() => void)[] = [];
  readonly #seen = new Map<string, GuestState['type']>();
  readonly #timer: NodeJS.Timeout;

  constructor(folder: string, nowMs: () => number = Date.now) {
    this.#folder = folder;
    this.#nowMs = nowMs;
    mkdirSync(folder, { recursive: true });
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const guest = JSON.parse(readFileSync(join(folder, file), 'utf8')) as SimulatedGuest;
      this.#guests.set(guest.name, guest);
    }
    this.#timer = setInterval(() => this.step(), STEP_MS);
    this.#timer.unref();
  }

  /** Writes the console lines that are due, and gives hints of what has ended. */
  step(): void {
    let changed = false;
    for (const guest of this.#guests.values()) {
      const { state, lines } = courseOf(guest, hostBoot(), this.#nowMs());
      if (lines.length > guest.linesWritten) {
        this.#write(guest.consoleLogPath, lines.slice(guest.linesWritten));
        this.#keep({ ...guest, linesWritten: lines.length });
      }
      if (this.#seen.get(guest.name) !== state.type) changed = true;
      this.#seen.set(guest.name, state.type);
    }
    if (changed) for (const listener of this.#listeners) listener();
  }

  describeHost(): Promise<HostDescription> {
    return Promise.resolve({
      capabilities: `<capabilities><host/><guest><arch name='x86_64'><machine>${MACHINE}</machine><machine>q35</machine></arch></guest></capabilities>`,
      domainCapabilities: '<domainCapabilities/>',
    });
  }

  list(): Promise<ReadonlyMap<string, GuestState>> {
    this.step();
    const states = [...this.#guests.values()].map(
      (guest) => [guest.name, courseOf(guest, hostBoot(), this.#nowMs()).state] as const,
    );
    return Promise.resolve(new Map(states));
  }

  async start(definition: GuestDefinition): Promise<StartedGuest> {
    const boot = definition.disks[0];
    // As a BIOS counts: other drives are not among its disks.
    const second = definition.disks.filter(({ device }) => device === 'disk')[1];
    const before = this.#guests.get(definition.name);
    if (before !== undefined && courseOf(before, hostBoot(), this.#nowMs()).state.type !== 'off') {
      throw new HypervisorError(`${definition.name} is running already`);
    }
    const sample = boot === undefined ? undefined : await sampleGuestOn(boot.path).catch(rethrow(boot.path));
    this.#keep({
      name: definition.name,
      consoleLogPath: definition.consoleLogPath,
      startedAtMs: this.#nowMs(),
      hostBoot: hostBoot(),
      program: sample === undefined ? { type: 'unknown' } : { type: 'sample', ...sample },
      diskBoots: sample === undefined || second === undefined ? undefined : await bootCount(second),
      disks: definition.disks.map(({ target, path }) => ({ target, path })),
      linesWritten: 0,
    });
    this.step();
    return { machineType: MACHINE };
  }

  shutdown(name: string): Promise<void> {
    const guest = this.#guests.get(name);
    if (guest !== undefined) this.#keep(pressed(guest, hostBoot(), this.#nowMs()));
    this.step();
    return Promise.resolve();
  }

  destroy(name: string): Promise<void> {
    this.step();
    const guest = this.#guests.get(name);
    if (guest !== undefined && courseOf(guest, hostBoot(), this.#nowMs()).state.type !== 'off') {
      this.#keep(endedBy(guest, 'destroyed', this.#nowMs()));
    }
    this.step();
    return Promise.resolve();
  }

  undefine(name: string): Promise<void> {
    this.#guests.delete(name);
    this.#seen.delete(name);
    rmSync(this.#file(name), { force: true });
    return Promise.resolve();
  }

  disksOf(name: string): Promise<readonly PluggedDisk[]> {
    return Promise.resolve(this.#running(name).disks ?? []);
  }

  async plugIn(name: string, { target, path }: GuestDisk): Promise<void> {
    await stat(path).catch(rethrow(path));
    const guest = this.#running(name);
    const { disks = [] } = guest;
    if (disks.some((disk) => disk.target === target || disk.path === path)) {
      throw new HypervisorError(`${name} has ${target} or ${path} already`);
    }
    this.#keep({ ...guest, disks: [...disks, { target, path }] });
  }

  plugOut(name: string, target: string): Promise<void> {
    const guest = this.#running(name);
    this.#keep({ ...guest, disks: guest.disks?.filter((disk) => disk.target !== target) });
    return Promise.resolve();
  }

  onHint(listener: () => void): void {
    this.#listeners.push(listener);
  }

  detach(): Promise<void> {
    clearInterval(this.#timer);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    for (const name of this.#guests.keys()) await this.destroy(name);
    await this.detach();
  }

  #running(name: string): SimulatedGuest {
    const guest = this.#guests.get(name);
    if (guest === undefined || courseOf(guest, hostBoot(), this.#nowMs()).state.type === 'off') {
      throw new HypervisorError(`${name} is not running`);
    }
    return guest;
  }

  #keep(guest: SimulatedGuest): void {
    this.#guests.set(guest.name, guest);
    const file = this.#file(guest.name);
    writeFileSync(`${file}.new`, JSON.stringify(guest));
    renameSync(`${file}.new`, file);
  }

  #file(name: string): string {
    return join(this.#folder, `${name}.json`);
  }

  #write(path: string, lines: readonly string[]): void {
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, lines.map((line) => `${line}\r\n`).join(''));
  }
}

/** Counted at the start: nothing else happens before the guest's code runs. */
async function bootCount({ path, readOnly, format }: GuestDisk): Promise<number | undefined> {
  return readOnly || format !== 'raw' ? undefined : countBoot(path).catch(rethrow(path));
}

function rethrow(path: string): (error: unknown) => never {
  return (error) => {
    throw new HypervisorError(`disk ${path} cannot be read`, { cause: error });
  };
}
