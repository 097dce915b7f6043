import { setTimeout as sleep } from 'node:timers/promises';
import { pauseMs } from '../images/back-off.ts';
import { hasStatus, type KubeClient } from '../kube/client.ts';
import { EventRecorder, involved } from '../kube/event-recorder.ts';
import { paths } from '../kube/paths.ts';
import { Reflector } from '../kube/reflector.ts';
import { KeyedWorker } from '../launcher/keyed-worker.ts';
import { decideClaim } from './claim-decision.ts';
import { type ClaimState, claimDisk } from './claim-disk.ts';
import { deleteVolume, letGo } from './delete-volume.ts';
import type { Claim, PersistentVolume, StorageClass } from './objects.ts';
import { provision, tellFailure } from './provision.ts';
import { PROVISIONER } from './provisioner.ts';
import type { Tools } from './tools.ts';
import { decideVolume } from './volume-decision.ts';
import { VolumeFiles } from './volume-files.ts';
import { isOfNode, volumeNameOf } from './volume-object.ts';

const BACK_OFF = { firstPauseMs: 1000, longestPauseMs: 300_000 };
/** How soon a volume is looked at again whose file a guest still has. */
const IN_USE_PAUSE_MS = 2000;

export interface StorageDriverOptions {
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly dataFolder: string;
  /** Whether a guest of this node has the file of the volume of that name. */
  readonly isInUse: (volume: string) => boolean;
  readonly log: (line: string) => void;
}

/**
 * Provisioner of the node's local volumes: for each claim that wants one a file, and the volume that stands for it; the file goes
 * when its volume is released. It keeps nothing but the files: what is to be done is seen from claims and volumes.
 */
export class StorageDriver {
  readonly #options: StorageDriverOptions;
  readonly #tools: Tools;
  readonly #events: EventRecorder;
  readonly #classes: Reflector<StorageClass>;
  readonly #claims: Reflector<Claim>;
  readonly #volumes: Reflector<PersistentVolume>;
  readonly #worker = new KeyedWorker((key) => this.#pass(key));
  /** By claim's uid, or key. */
  readonly #failures = new Map<string, number>();
  readonly #pauses = new Set<string>();
  readonly #end = new AbortController();
  readonly #listeners: ((namespace: string, claim: string) => void)[] = [];
  #running: Promise<unknown> | undefined;

  constructor(options: StorageDriverOptions) {
    const { client, nodeName, dataFolder, log } = options;
    this.#options = options;
    this.#events = new EventRecorder(client, PROVISIONER, nodeName, log);
    this.#tools = { client, nodeName, files: new VolumeFiles(dataFolder), events: this.#events, log };
    this.#classes = new Reflector(client, paths.storageClasses, () => this.#enqueueClaims(), log);
    this.#claims = new Reflector<Claim>(client, paths.claims, (claim) => this.#hearClaim(claim), log);
    this.#volumes = new Reflector<PersistentVolume>(client, paths.volumes, (volume) => this.#hearVolume(volume), log);
  }

  start(): void {
    const { signal } = this.#end;
    const reflectors = [this.#classes, this.#claims, this.#volumes];
    this.#running = Promise.all([...reflectors.map((reflector) => reflector.run(signal)), this.#begin()]);
  }

  /** Ends after the steps under way. */
  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all([this.#running, this.#worker.stop()]);
  }

  /** Calls the listener when a claim may have become usable, or no longer be. */
  onClaim(listener: (namespace: string, claim: string) => void): void {
    this.#listeners.push(listener);
  }

  /** The disk of a claim for a pod of this node. */
  claim(namespace: string, name: string): ClaimState {
    if (!this.#synced) return { type: 'waiting' };
    const claim = this.#claims.get(namespace, name);
    const volumeName = claim?.spec.volumeName ?? '';
    const volume = volumeName === '' ? undefined : this.#volumes.get('', volumeName);
    const { files } = this.#tools;
    const path = files.has(volumeName) ? files.diskOf(volumeName) : undefined;
    return claimDisk({ nodeName: this.#options.nodeName, name, claim, volume, path });
  }

  get #synced(): boolean {
    return this.#classes.synced && this.#claims.synced && this.#volumes.synced;
  }

  /** Once everything is known: what was found before, and what an interrupted life has left. */
  async #begin(): Promise<void> {
    const { signal } = this.#end;
    while (!this.#synced && !signal.aborted) await sleep(20, undefined, { signal }).catch(() => {});
    this.#enqueueClaims();
    for (const volume of this.#volumes.all()) this.#hearVolume(volume);
    for (const name of await this.#tools.files.unannounced()) {
      if (!this.#claims.all().some((claim) => volumeNameOf(claim) === name)) this.#worker.enqueue(`file/${name}`);
    }
  }

  #enqueueClaims(): void {
    for (const claim of this.#claims.all()) this.#enqueueClaim(claim);
  }

  #hearClaim(claim: Claim): void {
    this.#enqueueClaim(claim);
    // One that is gone without ever having had a volume may have a file.
    if ((claim.spec.volumeName ?? '') === '' && this.#synced) this.#worker.enqueue(`file/${volumeNameOf(claim)}`);
    for (const listener of this.#listeners) listener(claim.metadata.namespace ?? '', claim.metadata.name);
  }

  #hearVolume(volume: PersistentVolume): void {
    if (this.#synced) this.#worker.enqueue(`volume/${volume.metadata.name}`);
    const { namespace, name } = volume.spec.claimRef ?? {};
    if (namespace === undefined || name === undefined) return;
    for (const listener of this.#listeners) listener(namespace, name);
  }

  #enqueueClaim({ metadata }: Claim): void {
    if (this.#synced) this.#worker.enqueue(`claim/${metadata.namespace}/${metadata.name}`);
  }

  async #pass(key: string): Promise<void> {
    try {
      const [kind, first = '', second = ''] = key.split('/');
      if (kind === 'claim') await this.#claimPass(first, second, key);
      else if (kind === 'volume') await this.#volumePass(first, key);
      else await this.#filePass(first);
    } catch (error) {
      this.#options.log(`${key}: ${String(error)}`);
      this.#failed(key, key);
    }
  }

  async #claimPass(namespace: string, name: string, key: string): Promise<void> {
    const claim = this.#claims.get(namespace, name);
    if (claim === undefined) return;
    const { volumeName = '', storageClassName = '' } = claim.spec;
    const volume = this.#volumes.get('', volumeName === '' ? volumeNameOf(claim) : volumeName);
    const own = volume !== undefined && isOfNode(volume, this.#options.nodeName);
    // The file that an interrupted life has made is the volume's.
    if (own) await this.#tools.files.announced(volume.metadata.name);
    const storageClass = this.#classes.get('', storageClassName);
    const { nodeName } = this.#options;
    const decision = decideClaim({ nodeName, claim, storageClass, volume: own ? volume : undefined });
    const uid = claim.metadata.uid ?? '';
    switch (decision.type) {
      case 'none':
        return;
      case 'refuse':
        return tellFailure(this.#tools, claim, decision.message);
      case 'refuse-growth':
        return this.#events.tell(involved(claim), 'Warning', 'VolumeResizeFailed', decision.message);
      case 'provision':
        if (volume !== undefined || this.#pauses.has(uid)) return;
        if ((await provision(this.#tools, claim, decision.storageClass, decision.bytes)) === 'failed')
          this.#failed(uid, key);
    }
  }

  async #volumePass(name: string, key: string): Promise<void> {
    const volume = this.#volumes.get('', name);
    if (volume === undefined) return;
    const { nodeName, isInUse } = this.#options;
    switch (decideVolume({ nodeName, volume, inUse: isInUse(name) }).type) {
      case 'none':
        return;
      case 'await-guest':
        this.#again(key, IN_USE_PAUSE_MS);
        return;
      case 'let-go':
        return letGo(this.#tools, volume);
      case 'delete':
        if ((await deleteVolume(this.#tools, volume)) === 'failed') return this.#failed(key, key);
        // There is room for those that had none.
        this.#pauses.clear();
        this.#enqueueClaims();
    }
  }

  /** A file whose claim is gone and of whose volume the cluster never heard. */
  async #filePass(name: string): Promise<void> {
    if (this.#claims.all().some((claim) => volumeNameOf(claim) === name)) return;
    if (!(await this.#tools.files.unannounced()).includes(name)) return;
    const live = await this.#options.client.get(paths.volume(name)).catch((error: unknown) => {
      if (hasStatus(error, 404)) return undefined;
      throw error;
    });
    if (live === undefined) await this.#tools.files.remove(name);
    else await this.#tools.files.announced(name);
  }

  /** Tries again after a pause that doubles; `what` is not tried before. */
  #failed(what: string, key: string): void {
    const failures = (this.#failures.get(what) ?? 0) + 1;
    this.#failures.set(what, failures);
    this.#pauses.add(what);
    this.#again(key, pauseMs(BACK_OFF, failures), () => this.#pauses.delete(what));
  }

  #again(key: string, afterMs: number, before: () => void = () => {}): void {
    sleep(afterMs, undefined, { signal: this.#end.signal, ref: false }).then(
      () => {
        before();
        this.#worker.enqueue(key);
      },
      () => {},
    );
  }
}
