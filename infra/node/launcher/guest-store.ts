import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GuestRecord } from './guest-record.ts';

/** Earlier versions kept less. */
type Later = 'images' | 'claims' | 'plugged';
type Stored = Omit<GuestRecord, Later> & Partial<Pick<GuestRecord, Later>>;

/** File to which a guest's serial console is written; it goes with the pod. */
export function consoleLogPath(dataFolder: string, podUid: string): string {
  return join(dataFolder, 'guests', podUid, 'console.log');
}

/** Records and files of guests, one folder for each launcher pod, named by its uid. */
export class GuestStore {
  readonly #dataFolder: string;
  readonly #records = new Map<string, GuestRecord>();

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
    const folder = join(dataFolder, 'guests');
    mkdirSync(folder, { recursive: true });
    for (const podUid of readdirSync(folder)) {
      const path = join(folder, podUid, 'record.json');
      if (existsSync(path))
        this.#records.set(podUid, {
          images: {},
          claims: {},
          plugged: {},
          ...(JSON.parse(readFileSync(path, 'utf8')) as Stored),
        });
      else rmSync(join(folder, podUid), { recursive: true });
    }
  }

  get(podUid: string): GuestRecord | undefined {
    return this.#records.get(podUid);
  }

  all(): readonly GuestRecord[] {
    return [...this.#records.values()];
  }

  put(record: GuestRecord): void {
    const folder = this.folder(record.podUid);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'record.json');
    writeFileSync(`${path}.new`, JSON.stringify(record, undefined, 1));
    renameSync(`${path}.new`, path);
    this.#records.set(record.podUid, record);
  }

  remove(podUid: string): void {
    rmSync(this.folder(podUid), { recursive: true, force: true });
    this.#records.delete(podUid);
  }

  folder(podUid: string): string {
    return join(this.#dataFolder, 'guests', podUid);
  }

  consoleLogPath(podUid: string): string {
    return consoleLogPath(this.#dataFolder, podUid);
  }

  /** Whether a guest that has not ended has that volume. */
  hasVolume(volume: string): boolean {
    return this.all().some(
      ({ claims, plugged, reported }) =>
        reported !== true &&
        [...Object.values(claims), ...Object.values(plugged).map(({ claim }) => claim)].some(
          (c) => c.volume === volume,
        ),
    );
  }

  /** An address that no other pod of this node has. It is a name only: no traffic reaches it. */
  freePodIp(): string {
    const used = new Set(this.all().map((record) => record.podIp));
    for (let n = 2; ; n++) {
      const ip = `10.244.${Math.floor(n / 256)}.${n % 256}`;
      if (n % 256 !== 0 && n % 256 !== 255 && !used.has(ip)) return ip;
    }
  }
}
