import type { Pod, VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import { freeTarget } from '../../hypervisor/disk-target.ts';
import { type Hypervisor, HypervisorError, type PluggedDisk } from '../../hypervisor/hypervisor.ts';
import { pauseMs } from '../../images/back-off.ts';
import type { ClaimSource } from '../claims-of-pods.ts';
import { claimNameOf, guestDisk, UnsupportedGuest } from '../guest-disk.ts';
import type { GuestRecord, PluggedVolume } from '../guest-record.ts';
import type { GuestStore } from '../guest-store.ts';
import type { Reporter } from '../reporter.ts';
import { concernsHotplug, decideHotplug, type HotplugStep } from './hotplug-decision.ts';
import { messageOf, REASONS, withPhase } from './volume-phase.ts';

export interface HotpluggerOptions {
  readonly hypervisor: Hypervisor;
  readonly claims: ClaimSource;
  readonly store: GuestStore;
  readonly reporter: Reporter;
  readonly log: (line: string) => void;
}

/** Between tries for one volume; a guest that is asked too often has no time to answer. */
const BACK_OFF = { firstPauseMs: 5000, longestPauseMs: 60_000 };
/** Steps lead to further ones: mounted, plugged in, ready. */
const ROUNDS_AT_MOST = 4;

/** Buses into which a disk can be plugged while a guest runs. */
const HOTPLUG_BUSES: ReadonlySet<string> = new Set(['scsi', 'virtio']);

/** Steps that can fail, or take their time. */
const TRIED = ['plug-in', 'plug-out'] as const;
type Tried = (typeof TRIED)[number];

/** Plugs volumes into running guests, and out of them, and says how far they are. */
export class Hotplugger {
  readonly #options: HotpluggerOptions;
  readonly #tries = new Map<string, { readonly count: number; readonly notBeforeMs: number }>();

  constructor(options: HotpluggerOptions) {
    this.#options = options;
  }

  /** Does what can be done now for a guest that runs; to be called again when something has changed, and now and then. */
  async sync(
    podUid: string,
    cached: VirtualMachineInstance,
    launcher: Pod,
    attachments: readonly Pod[],
  ): Promise<void> {
    const { hypervisor, store } = this.#options;
    let vmi = cached;
    for (let round = 0; round < ROUNDS_AT_MOST; round++) {
      const record = store.get(podUid);
      if (record === undefined || !concernsHotplug(vmi, record.plugged)) return;
      const disks = await hypervisor.disksOf(record.domain);
      const steps = decideHotplug({ vmi, launcher, attachments, plugged: record.plugged, disks });
      let progress = false;
      for (const step of steps) {
        const done = await this.#act(step, podUid, disks);
        progress ||= done !== undefined;
        if (typeof done === 'object') vmi = done;
      }
      if (!progress) return;
    }
  }

  /** Undefined when there is nothing to go on with; a VMI when that was written. */
  async #act(
    step: HotplugStep,
    podUid: string,
    disks: readonly PluggedDisk[],
  ): Promise<VirtualMachineInstance | 'done' | undefined> {
    const record = this.#options.store.get(podUid);
    if (record === undefined) return undefined;
    switch (step.type) {
      case 'report':
        return this.#report(step, record);
      case 'forget':
        this.#note(record, step.name, undefined);
        for (const type of TRIED) this.#tries.delete(keyOf(record, step.name, type));
        return 'done';
      case 'plug-in':
        return this.#try(step, record, () => this.#plugIn(step, record, disks));
      case 'plug-out':
        return this.#try(step, record, async () => {
          await this.#options.hypervisor.plugOut(record.domain, step.target);
          this.#options.log(`${record.domain}: asked to let go of ${step.target}, volume ${step.name}`);
        });
    }
  }

  async #report(
    { name, phase, target }: HotplugStep & { type: 'report' },
    record: GuestRecord,
  ): Promise<VirtualMachineInstance | undefined> {
    const { namespace, vmiName, vmiUid } = record;
    const { reporter } = this.#options;
    const written = await reporter.instance(namespace, vmiName, vmiUid, (vmi) => withPhase(vmi, name, phase, target));
    if (written !== undefined) await reporter.tell(record, 'Normal', REASONS[phase], messageOf(name, phase));
    return written;
  }

  async #plugIn(
    { name, volume, disk }: HotplugStep & { type: 'plug-in' },
    record: GuestRecord,
    disks: readonly PluggedDisk[],
  ): Promise<void> {
    const { claims, hypervisor, log } = this.#options;
    const claim = claims.claim(record.namespace, claimNameOf(volume) ?? '');
    if (claim.type === 'unusable') throw new UnsupportedGuest(`volume ${name}: ${claim.message}`);
    if (claim.type === 'waiting') return;
    const readOnly = volume.persistentVolumeClaim?.readOnly === true;
    // Not `virtio`: a guest has to take part in letting go of such a disk.
    const wanted = guestDisk(disk, { path: claim.disk.path, format: 'raw', readOnly, defaultBus: 'scsi' });
    if (wanted.device !== 'disk' || !HOTPLUG_BUSES.has(wanted.bus)) {
      throw new UnsupportedGuest(
        `disk ${name}: this node plugs in only disks on the buses ${[...HOTPLUG_BUSES].join(', ')}`,
      );
    }
    const noted = Object.values(record.plugged).map((other) => other.disk.target);
    const target = freeTarget(wanted.bus, new Set([...disks.map((d) => d.target), ...noted]));
    const planned = { ...wanted, target };
    // Before it is done: what is noted is looked for, and asked out when it is no longer wanted.
    this.#note(record, name, { claim: claim.disk, disk: planned });
    await hypervisor.plugIn(record.domain, planned);
    log(`${record.domain}: ${target} plugged in, volume ${name}`);
  }

  /** One try, unless the last one was a moment ago; what cannot be done is told at the VMI. */
  async #try(
    { name, type }: HotplugStep & { type: Tried },
    record: GuestRecord,
    act: () => Promise<void>,
  ): Promise<'done' | undefined> {
    const key = keyOf(record, name, type);
    const before = this.#tries.get(key);
    if (before !== undefined && Date.now() < before.notBeforeMs) return undefined;
    const count = (before?.count ?? 0) + 1;
    this.#tries.set(key, { count, notBeforeMs: Date.now() + pauseMs(BACK_OFF, count) });
    try {
      await act();
      // Asking a disk out is no success yet.
      if (type === 'plug-in') this.#tries.delete(key);
      return 'done';
    } catch (error) {
      if (!(error instanceof UnsupportedGuest || error instanceof HypervisorError)) throw error;
      this.#options.log(`${record.domain}: ${error.message}`);
      await this.#options.reporter.tell(record, 'Warning', 'SyncFailed', error.message);
      return undefined;
    }
  }

  /** Notes a volume as plugged in, or takes the note away. */
  #note({ podUid }: GuestRecord, name: string, volume: PluggedVolume | undefined): void {
    const record = this.#options.store.get(podUid);
    if (record === undefined) return;
    const { [name]: _, ...others } = record.plugged;
    this.#options.store.put({ ...record, plugged: volume === undefined ? others : { ...others, [name]: volume } });
  }
}

function keyOf({ podUid }: GuestRecord, name: string, type: Tried): string {
  return `${podUid}/${name}/${type}`;
}
