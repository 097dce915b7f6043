import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuestDefinition, GuestDisk } from '../guest-definition.ts';
import {
  type GuestState,
  type HostDescription,
  type Hypervisor,
  HypervisorError,
  HypervisorUnavailable,
  type PluggedDisk,
  type StartedGuest,
} from '../hypervisor.ts';
import { elementsAt, parseXml } from '../xml.ts';
import { Daemon } from './daemon.ts';
import { type DaemonFolder, type DaemonMode, prepareDaemonFolder } from './daemon-folder.ts';
import { DEFAULT_MACHINE, type DomainType, diskXml, domainXml } from './domain-xml.ts';
import { parseDomstats } from './domstats.ts';
import { removeShortPath } from './short-path.ts';
import { Virsh } from './virsh.ts';

/** The first answer takes seconds: libvirt asks QEMU for all that it can do. */
const FIRST_ANSWER_LIMIT_MS = 40_000;
/** A daemon that has not listed its guests for so long hangs, and is replaced. */
const HUNG_MS = 30_000;

/** Guests as domains of a libvirtd of the project's own. */
export class LibvirtHypervisor implements Hypervisor {
  readonly kind: 'libvirt-kvm' | 'libvirt-qemu';
  readonly #folder: DaemonFolder;
  readonly #daemon: Daemon;
  readonly #virsh: Virsh;
  readonly #type: DomainType;
  readonly #endings: (() => void)[] = [];
  #machines: ReadonlySet<string> = new Set();
  /** When the first of the listings began that all had no answer. */
  #silentSinceMs: number | undefined;

  private constructor(type: DomainType, folder: DaemonFolder) {
    this.kind = `libvirt-${type}`;
    this.#type = type;
    this.#folder = folder;
    this.#daemon = new Daemon(folder);
    this.#virsh = new Virsh(folder.mode, folder.socket);
  }

  /** Starts or finds the daemon. Throws a {@link HypervisorError} when it does not answer. */
  static async open(type: DomainType, mode: DaemonMode, folder: string): Promise<LibvirtHypervisor> {
    const hypervisor = new LibvirtHypervisor(type, prepareDaemonFolder(mode, folder));
    hypervisor.#daemon.ensureRunning(type === 'kvm');
    await hypervisor.#firstAnswer();
    const capabilities = parseXml(await hypervisor.#virsh.call('capabilities'));
    hypervisor.#machines = new Set(elementsAt(capabilities, 'guest', 'arch', 'machine').map((m) => m.text));
    return hypervisor;
  }

  async describeHost(): Promise<HostDescription> {
    const target = ['--machine', DEFAULT_MACHINE, '--arch', 'x86_64', '--virttype', this.#type];
    const capabilities = await this.#virsh.call('capabilities');
    const domainCapabilities = await this.#virsh.call('domcapabilities', ...target);
    const supportedFeatures = await this.#withFile('host-model.xml', domainCapabilities, (path) =>
      this.#virsh.call('hypervisor-cpu-baseline', '--features', path, ...target),
    ).catch(() => undefined);
    return { capabilities, domainCapabilities, supportedFeatures };
  }

  async list(): Promise<ReadonlyMap<string, GuestState>> {
    // The supervisor itself may have been killed.
    this.#daemon.ensureRunning(this.#type === 'kvm');
    const beganMs = performance.now();
    try {
      const text = await this.#virsh.call('domstats', '--state');
      this.#silentSinceMs = undefined;
      return parseDomstats(text);
    } catch (error) {
      if (error instanceof HypervisorUnavailable) this.#replaceIfHung(beganMs);
      throw error;
    }
  }

  #replaceIfHung(beganMs: number): void {
    this.#silentSinceMs ??= beganMs;
    if (performance.now() - this.#silentSinceMs < HUNG_MS) return;
    this.#silentSinceMs = undefined;
    this.#daemon.replace();
  }

  async start(guest: GuestDefinition): Promise<StartedGuest> {
    const xml = domainXml(guest, this.#type, this.#machines);
    await this.#withFile(`${guest.uuid}.xml`, xml, (path) => this.#virsh.call('define', path));
    await this.#virsh.call('start', guest.name);
    const defined = parseXml(await this.#virsh.call('dumpxml', '--inactive', guest.name));
    return { machineType: elementsAt(defined, 'os', 'type')[0]?.attributes.machine ?? DEFAULT_MACHINE };
  }

  async shutdown(name: string): Promise<void> {
    await this.#virsh.call('shutdown', name, '--mode', 'acpi').catch(unless(/is not running/));
  }

  async destroy(name: string): Promise<void> {
    await this.#virsh.call('destroy', name).catch(unless(/is not running|failed to get domain/));
  }

  async undefine(name: string): Promise<void> {
    await this.#virsh.call('undefine', name).catch(unless(/failed to get domain/));
  }

  async disksOf(name: string): Promise<readonly PluggedDisk[]> {
    const domain = parseXml(await this.#virsh.call('dumpxml', name));
    return elementsAt(domain, 'devices', 'disk').map((disk) => ({
      target: elementsAt(disk, 'target')[0]?.attributes.dev ?? '',
      path: elementsAt(disk, 'source')[0]?.attributes.file,
    }));
  }

  async plugIn(name: string, disk: GuestDisk): Promise<void> {
    await this.#withFile(`${name}.${disk.target}.xml`, diskXml(disk), (path) =>
      this.#virsh.call('attach-device', name, path, '--live'),
    );
  }

  async plugOut(name: string, target: string): Promise<void> {
    // The second: asked before, and the guest has not answered yet.
    await this.#virsh
      .call('detach-disk', name, target, '--live')
      .catch(unless(/No disk found|in the process of unplug/));
  }

  onHint(listener: () => void): void {
    this.#endings.push(this.#virsh.followEvents(listener));
  }

  detach(): Promise<void> {
    for (const end of this.#endings.splice(0)) end();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.detach();
    await this.#destroyAll().catch(async (error: unknown) => {
      if (!(error instanceof HypervisorUnavailable)) throw error;
      // It hangs, or was about to start anew: its successor finds the guests.
      this.#daemon.replace();
      await this.#firstAnswer();
      await this.#destroyAll();
    });
    await this.#daemon.stop();
    removeShortPath(this.#folder.path);
  }

  async #destroyAll(): Promise<void> {
    const guests = await this.list();
    await Promise.all([...guests].filter(([, state]) => state.type !== 'off').map(([name]) => this.destroy(name)));
  }

  async #firstAnswer(): Promise<void> {
    for (let waitedMs = 0; ; waitedMs += 200) {
      try {
        await this.#virsh.call('version');
        return;
      } catch (error) {
        if (waitedMs > FIRST_ANSWER_LIMIT_MS || !this.#daemon.running) {
          const output = this.#daemon.output();
          await this.#daemon.stop();
          throw new HypervisorError(`libvirtd does not answer (${output})`, { cause: error });
        }
      }
      await sleep(200);
    }
  }

  async #withFile<T>(name: string, content: string, use: (path: string) => Promise<T>): Promise<T> {
    const folder = join(this.#folder.path, 'xml');
    const path = join(folder, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, content);
    try {
      return await use(path);
    } finally {
      rmSync(path, { force: true });
    }
  }
}

function unless(expected: RegExp): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof HypervisorError && expected.test(error.message))) throw error;
  };
}
