import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { type Hypervisor, HypervisorError } from '../hypervisor/hypervisor.ts';
import type { BackOff } from '../images/back-off.ts';
import { isOutOfSpace } from '../images/pull-error.ts';
import { hasStatus, type KubeClient } from '../kube/client.ts';
import { paths } from '../kube/paths.ts';
import { Reflector } from '../kube/reflector.ts';
import { hostAddress } from '../node/node-object.ts';
import { type ClaimSource, claimNamesOf, type FoundClaims, findClaims } from './claims-of-pods.ts';
import { type Decision, decide } from './decision.ts';
import { makeDiskFiles } from './disk-files.ts';
import { domainName } from './domain-name.ts';
import { UnsupportedGuest } from './guest-disk.ts';
import { planGuest } from './guest-plan.ts';
import type { GuestRecord } from './guest-record.ts';
import { GuestStore } from './guest-store.ts';
import { GuestView } from './guest-view.ts';
import { isAttachment, isAttachmentOf, vmiNameOfAttachment } from './hotplug/attachment-pod.ts';
import { attendAttachment } from './hotplug/attend.ts';
import { Hotplugger } from './hotplug/hotplugger.ts';
import { type FoundImages, ImagesOfPods, imageIdsOf } from './images-of-pods.ts';
import { KeyedWorker } from './keyed-worker.ts';
import { isLauncher, newRecord, vmiNameOf } from './launcher-pod.ts';
import { foreignContainer } from './needed-images.ts';
import { failed, type Outcome } from './outcome.ts';
import type { PodCourse } from './pod-status.ts';
import { Reporter } from './reporter.ts';
import { endedVmi, runningVmi } from './vmi-report.ts';

/** Everything is looked at that often, whatever is heard or not heard. */
const FULL_PASS_MS = 2000;
const NO_CLAIMS: FoundClaims = { state: { type: 'ready' }, claims: {} };
const NO_IMAGES: FoundImages = { state: { type: 'ready' }, images: {} };
/** More steps than any course has. */
const STEPS_AT_MOST = 12;

export interface LauncherAgentOptions {
  readonly client: KubeClient;
  readonly hypervisor: Hypervisor;
  readonly nodeName: string;
  readonly dataFolder: string;
  readonly claims: ClaimSource;
  /** Pauses between attempts to pull an image; absent: a kubelet's. */
  readonly imageBackOff?: BackOff;
  /** Called after each look at the hypervisor: with what came instead of an answer, if so, and when it was asked. */
  readonly onHypervisorHealth?: (trouble: string | undefined, askedAtMs: number) => void;
  readonly log: (line: string) => void;
}

/**
 * Kubelet and virt-handler in one for the launcher pods of a node. Its truth is the bound pods; each VM has one serial worker,
 * whose every step is decided anew (decision.ts) from pod, VMI, record and hypervisor.
 */
export class LauncherAgent {
  readonly #options: LauncherAgentOptions;
  readonly #store: GuestStore;
  readonly #images: ImagesOfPods;
  readonly #reporter: Reporter;
  readonly #worker = new KeyedWorker((key) => this.#pass(key));
  readonly #pods: Reflector<Pod>;
  readonly #instances: Reflector<VirtualMachineInstance>;
  readonly #end = new AbortController();
  readonly #running: Promise<void>[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #guests: GuestView;
  readonly #hotplugger: Hotplugger;

  constructor(options: LauncherAgentOptions) {
    this.#options = options;
    const { client, nodeName, dataFolder, log } = options;
    this.#guests = new GuestView(options.hypervisor);
    this.#store = new GuestStore(dataFolder);
    this.#images = new ImagesOfPods({ client, dataFolder, backOff: options.imageBackOff, log });
    this.#reporter = new Reporter(client, hostAddress(), nodeName, log);
    this.#hotplugger = new Hotplugger({ ...options, store: this.#store, reporter: this.#reporter });
    this.#pods = new Reflector<Pod>(client, paths.podsOfNode(nodeName), (pod) => this.#enqueuePod(pod), log);
    this.#instances = new Reflector<VirtualMachineInstance>(
      client,
      paths.instancesOfNode(nodeName),
      (vmi) => this.#enqueue(keyOf(vmi.metadata.namespace, vmi.metadata.name)),
      log,
    );
  }

  /** Starts to look after the node's pods. */
  start(): void {
    const { signal } = this.#end;
    this.#running.push(this.#pods.run(signal), this.#instances.run(signal), this.#fullPasses());
    this.#options.hypervisor.onHint(() => {
      this.#guests.invalidate();
      for (const record of this.#store.all()) this.#enqueue(keyOf(record.namespace, record.vmiName));
    });
    this.#options.claims.onClaim((namespace, claim) => {
      for (const pod of this.#pods.all()) {
        const wants = pod.metadata.namespace === namespace && [...claimNamesOf(pod).values()].includes(claim);
        if (wants) this.#enqueuePod(pod);
      }
    });
  }

  /** Whether a guest that has not ended has the volume of that name. */
  hasVolume(volume: string): boolean {
    return this.#store.hasVolume(volume);
  }

  /** Ends after the steps under way; guests go on. */
  async stop(): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#timer);
    await Promise.all([...this.#running, this.#worker.stop(), this.#images.stop()]);
  }

  async #fullPasses(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      try {
        await this.#fullPass();
      } catch (error) {
        this.#options.log(`full pass: ${String(error)}`);
      }
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        this.#timer = setTimeout(resolve, FULL_PASS_MS);
      });
    }
  }

  async #fullPass(): Promise<void> {
    this.#guests.invalidate();
    // Before the hypervisor is looked at: pods that wait for images need it not.
    for (const pod of this.#pods.all()) this.#enqueuePod(pod);
    for (const record of this.#store.all()) this.#enqueue(keyOf(record.namespace, record.vmiName));
    this.#images.retain(
      new Set(this.#pods.all().flatMap((pod) => (this.#awaitsStart(pod) ? [pod.metadata.uid ?? ''] : []))),
    );
    await this.#checkHypervisor();
    if (this.#pods.synced) await this.#removeStrangers();
  }

  async #checkHypervisor(): Promise<void> {
    const { onHypervisorHealth } = this.#options;
    const askedAtMs = Date.now();
    try {
      await this.#guests.all();
      onHypervisorHealth?.(undefined, askedAtMs);
    } catch (error) {
      onHypervisorHealth?.(messageOf(error), askedAtMs);
      throw error;
    }
  }

  /** Guests that no record names: the hypervisor is the agent's own, so they are what an interrupted clean-up left. */
  async #removeStrangers(): Promise<void> {
    const guests = await this.#guests.all();
    const known = new Set(this.#store.all().map((record) => record.domain));
    for (const name of [...guests.keys()].filter((n) => !known.has(n))) {
      this.#options.log(`${name}: removed, no pod knows it`);
      await this.#forget(name);
    }
  }

  #enqueuePod(pod: Pod): void {
    if (isLauncher(pod)) this.#enqueue(keyOf(pod.metadata.namespace, vmiNameOf(pod)));
    if (isAttachment(pod)) this.#enqueue(keyOf(pod.metadata.namespace, vmiNameOfAttachment(pod)));
  }

  #enqueue(key: string): void {
    if (this.#pods.synced) this.#worker.enqueue(key);
  }

  async #pass(key: string): Promise<void> {
    try {
      const pods = this.#pods
        .all()
        .filter((pod) => isLauncher(pod) && keyOf(pod.metadata.namespace, vmiNameOf(pod)) === key);
      for (const record of this.#store.all()) {
        const mine = keyOf(record.namespace, record.vmiName) === key;
        if (mine && !pods.some((pod) => pod.metadata.uid === record.podUid)) await this.#cleanUp(record);
      }
      for (const pod of this.#pods.all()) {
        const mine = isAttachment(pod) && keyOf(pod.metadata.namespace, vmiNameOfAttachment(pod)) === key;
        if (mine) await attendAttachment(pod, this.#options.claims, this.#reporter);
      }
      const oldestFirst = pods.sort((a, b) => age(a).localeCompare(age(b)));
      for (const pod of oldestFirst) await this.#advance(pod);
    } catch (error) {
      this.#options.log(`${key}: ${String(error)}`);
    }
  }

  /** Takes steps for one pod until nothing more can be done for now. */
  async #advance(listed: Pod): Promise<void> {
    let pod: Pod | undefined = listed;
    for (let step = 0; step < STEPS_AT_MOST && pod !== undefined; step++) {
      const record = this.#store.get(pod.metadata.uid ?? '');
      // Without a record there is no guest either, and a hypervisor that is silent holds nothing up.
      const guests = record === undefined ? undefined : await this.#guests.all();
      const awaited = this.#awaitsStart(pod);
      const found = awaited ? findClaims(pod, this.#options.claims) : NO_CLAIMS;
      const images = awaited && found.state.type === 'ready' ? this.#findImages(pod) : NO_IMAGES;
      const decision = decide({
        nodeName: this.#options.nodeName,
        pod,
        record,
        vmi: this.#vmiOf(pod, record),
        guest: guests?.get(domainName(pod.metadata.namespace ?? '', vmiNameOf(pod))),
        images: images.state,
        claims: found.state,
        nowMs: Date.now(),
      });
      const next = await this.#act(decision, pod, record, { images: images.images, claims: found.claims });
      if (next === 'settled') return;
      pod = next;
    }
  }

  /** Does one step; gives the pod as it is then, `settled` when the next step has to wait for something. */
  async #act(
    decision: Decision,
    pod: Pod,
    record: GuestRecord | undefined,
    found: Pick<GuestRecord, 'images' | 'claims'>,
  ): Promise<Pod | undefined | 'settled'> {
    if (decision.type === 'wait') return 'settled';
    if (decision.type === 'report-missing-image') {
      await this.#reporter.pod(pod, { ...decision, type: 'image-missing' });
      return 'settled';
    }
    if (decision.type === 'await-images' || decision.type === 'await-claims') {
      const problem = decision.type === 'await-claims' ? decision.problem : undefined;
      if (problem !== undefined) await this.#reporter.warnOfMount(pod, problem);
      await this.#reporter.pod(pod, { type: 'creating' });
      return 'settled';
    }
    if (decision.type === 'prepare') {
      const created = pod.status?.phase === 'Running' ? pod : await this.#reporter.pod(pod, { type: 'creating' });
      // The address is looked for and taken in one go.
      if (created !== undefined) this.#store.put(newRecord(pod, this.#store.freePodIp(), found));
      return created;
    }
    if (decision.type === 'remove-pod') {
      await this.#reporter.removePod(pod.metadata.namespace ?? '', pod.metadata.name, pod.metadata.uid ?? '');
      this.#store.remove(pod.metadata.uid ?? '');
      return undefined;
    }
    if (record === undefined) throw new Error(`${decision.type} without a record`);
    return this.#actOn(decision, pod, record);
  }

  async #actOn(
    decision: Exclude<
      Decision,
      { type: 'wait' | 'await-claims' | 'await-images' | 'report-missing-image' | 'prepare' | 'remove-pod' }
    >,
    pod: Pod,
    record: GuestRecord,
  ): Promise<Pod | undefined | 'settled'> {
    const { hypervisor } = this.#options;
    const running: PodCourse = { type: 'running', podIp: record.podIp };
    const imageIds = imageIdsOf(pod, record.images);
    switch (decision.type) {
      case 'up':
        await this.#reporter.pod(pod, running, imageIds);
        return 'settled';
      case 'start':
        await this.#start(pod, record);
        return pod;
      case 'running':
        await this.#reporter.pod(pod, running, imageIds);
        if (this.#vmiOf(pod, record)?.status?.phase === 'Scheduled') {
          await this.#reporter.instance(record.namespace, record.vmiName, record.vmiUid, (vmi) =>
            runningVmi(vmi, record, Date.now()),
          );
        }
        await this.#plug(pod, record);
        return 'settled';
      case 'shut-down':
        if (record.shutdownOrderedAtMs === undefined) {
          this.#store.put({ ...record, shutdownOrderedAtMs: Date.now() });
          this.#options.log(`${record.domain}: asked to shut down`);
        }
        // Pressed again at each pass: a guest that has not booted yet does not notice.
        await hypervisor.shutdown(record.domain);
        return 'settled';
      case 'destroy':
        this.#store.put({ ...record, shutdownOrderedAtMs: record.shutdownOrderedAtMs ?? Date.now() });
        await hypervisor.destroy(record.domain);
        this.#guests.invalidate();
        return pod;
      case 'conclude':
        this.#store.put({ ...record, outcome: decision.outcome });
        this.#options.log(`${record.domain}: ${decision.outcome.phase}, ${decision.outcome.message}`);
        return pod;
      case 'report-end':
        return this.#reportEnd(pod, record);
    }
  }

  async #plug(launcher: Pod, record: GuestRecord): Promise<void> {
    const vmi = this.#vmiOf(launcher, record);
    if (vmi === undefined) return;
    const attachments = this.#pods.all().filter((pod) => isAttachmentOf(pod, launcher));
    await this.#hotplugger.sync(record.podUid, vmi, launcher, attachments);
  }

  async #start(pod: Pod, record: GuestRecord): Promise<void> {
    const vmi = this.#vmiOf(pod, record);
    if (vmi === undefined) throw new Error(`${record.domain}: its VMI is gone`);
    const folder = this.#store.folder(record.podUid);
    const consoleLogPath = this.#store.consoleLogPath(record.podUid);
    try {
      const foreign = foreignContainer(pod);
      if (foreign !== undefined) throw new UnsupportedGuest(`container ${foreign} cannot be run by this node`);
      const plan = planGuest(vmi, { record, folder, consoleLogPath });
      this.#store.put({ ...record, start: plan.start });
      await makeDiskFiles(plan.files);
      const { machineType } = await this.#options.hypervisor.start(plan.definition);
      this.#store.put({ ...record, start: { ...plan.start, machineType } });
      this.#options.log(`${record.domain}: started`);
    } catch (error) {
      const outcome = outcomeOfStart(error);
      // First: on a disk that is full the record cannot be written before.
      await rm(join(folder, 'disks'), { recursive: true, force: true });
      // As it is by now: the hypervisor may know the guest already, and has to forget it.
      this.#store.put({ ...(this.#store.get(record.podUid) ?? record), outcome });
      this.#options.log(`${record.domain}: not started, ${outcome.message}`);
    } finally {
      this.#guests.invalidate();
    }
  }

  /** First the pod, then the VMI (a VMI that is final before its pod would be followed by a second one too early). */
  async #reportEnd(pod: Pod, record: GuestRecord): Promise<Pod | undefined> {
    const { outcome } = record;
    if (outcome === undefined) throw new Error(`${record.domain} has not ended`);
    // Not a guest of another pod with the same VMI name.
    if (record.start !== undefined) await this.#forget(record.domain);
    const reported = await this.#reporter.pod(pod, { type: 'ended', outcome }, imageIdsOf(pod, record.images));
    if (outcome.phase === 'Failed') {
      const reason = outcome.reason === 'GuestNotStarted' ? 'SyncFailed' : 'Stopped';
      await this.#reporter.tell(record, 'Warning', reason, outcome.message);
    }
    await this.#reporter.instance(record.namespace, record.vmiName, record.vmiUid, (vmi) =>
      vmi.status?.nodeName === this.#options.nodeName ? endedVmi(vmi, outcome, Date.now()) : undefined,
    );
    await rm(join(this.#store.folder(record.podUid), 'disks'), { recursive: true, force: true });
    this.#store.put({ ...record, reported: true });
    return reported;
  }

  /** The pod is gone without having been removed by the agent: so must be its guest, and its files. */
  async #cleanUp(record: GuestRecord): Promise<void> {
    const path = paths.pod(record.namespace, record.podName);
    const live = await this.#options.client.get<Pod>(path).catch((error: unknown) => {
      if (hasStatus(error, 404)) return undefined;
      throw error;
    });
    // Then the watch lags behind.
    if (live?.metadata.uid === record.podUid) return;
    if (record.start !== undefined) await this.#forget(record.domain);
    this.#store.remove(record.podUid);
    this.#options.log(`${record.domain}: removed, its pod ${record.podName} is gone`);
  }

  async #forget(domain: string): Promise<void> {
    await this.#options.hypervisor.destroy(domain);
    await this.#options.hypervisor.undefine(domain);
    this.#guests.invalidate();
  }

  #vmiOf(pod: Pod, record: GuestRecord | undefined): VirtualMachineInstance | undefined {
    const vmi = this.#instances.get(pod.metadata.namespace ?? '', vmiNameOf(pod));
    return vmi?.metadata.uid === record?.vmiUid ? vmi : undefined;
  }

  #awaitsStart(pod: Pod): boolean {
    const pending = pod.status?.phase === undefined || pod.status.phase === 'Pending';
    const known = this.#store.get(pod.metadata.uid ?? '') !== undefined;
    return isLauncher(pod) && pending && !known && pod.metadata.deletionTimestamp === undefined;
  }

  #findImages(pod: Pod): FoundImages {
    return this.#images.ask(pod, () => this.#enqueuePod(pod));
  }
}

/** Errors of other kinds are thrown on: the start is tried again. */
function outcomeOfStart(error: unknown): Outcome {
  if (error instanceof UnsupportedGuest) return failed('NotSupportedByNode', error.message);
  if (error instanceof HypervisorError) return failed('GuestNotStarted', `the guest failed to start: ${error.message}`);
  if (isOutOfSpace(error)) return failed('NodeOutOfDisk', "no space is left on this node for the guest's disks");
  throw error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

function age(pod: Pod): string {
  return pod.metadata.creationTimestamp ?? '';
}
