/** Follows a VM: its status, its instance's phases, and the guest's console, as they happen. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type JsonObject, type KubeRequest } from '../kube-client.ts';

const POLL_MS = 150;

export interface VmCourseEvents {
  /** `VM Starting`, `VMI Scheduling`, ... */
  readonly onChange: (what: string) => void;
  readonly onConsole: (text: string) => void;
}

interface Instance {
  readonly metadata: { readonly uid: string };
  readonly status?: {
    readonly phase?: string;
    readonly activePods?: Readonly<Record<string, string>>;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

export class VmCourse {
  readonly #request: KubeRequest;
  readonly #namespace: string;
  readonly #name: string;
  readonly #consoleOf: (podUid: string) => string;
  readonly #events: VmCourseEvents;
  #stopped = false;
  #said = new Map<string, string>();
  #console: { file: string; at: number } | undefined;
  /** Phase of the instance as last seen; undefined: there is none. */
  phase: string | undefined;

  constructor(
    request: KubeRequest,
    namespace: string,
    name: string,
    consoleOf: (podUid: string) => string,
    events: VmCourseEvents,
  ) {
    this.#request = request;
    this.#namespace = namespace;
    this.#name = name;
    this.#consoleOf = consoleOf;
    this.#events = events;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Follows until `stop`. An API server that does not answer for a moment is asked again. */
  async follow(): Promise<void> {
    while (!this.#stopped) {
      await this.#look().catch(() => undefined);
      await sleep(POLL_MS);
    }
  }

  async #look(): Promise<void> {
    const vm = (await this.#get('virtualmachines')) as { status?: { printableStatus?: string } } | undefined;
    this.#say('VM', vm === undefined ? 'gone' : (vm.status?.printableStatus ?? 'accepted'));
    const instance = (await this.#get('virtualmachineinstances')) as Instance | undefined;
    this.phase = instance?.status?.phase;
    if (instance !== undefined) this.#say('VMI', instance.status?.phase ?? 'created');
    const trouble = instance?.status?.conditions?.find((c) => c.type === 'Synchronized' && c.status === 'False');
    this.#say('trouble', trouble === undefined ? '' : `${trouble.reason}: ${trouble.message}`);
    const pods = Object.keys(instance?.status?.activePods ?? {});
    for (const pod of pods) {
      const file = this.#consoleOf(pod);
      if (this.#console?.file !== file && existsSync(file)) this.#console = { file, at: 0 };
    }
    this.#readConsole();
  }

  #say(what: string, text: string): void {
    if ((this.#said.get(what) ?? '') === text) return;
    this.#said.set(what, text);
    if (text !== '') this.#events.onChange(`${what} ${text}`);
  }

  #readConsole(): void {
    const place = this.#console;
    if (place === undefined) return;
    let file: number;
    try {
      file = openSync(place.file, 'r');
    } catch {
      this.#console = undefined;
      return;
    }
    const buffer = Buffer.alloc(64 * 1024);
    const length = readSync(file, buffer, 0, buffer.length, place.at);
    closeSync(file);
    place.at += length;
    if (length > 0) this.#events.onConsole(buffer.toString('latin1', 0, length));
  }

  async #get(plural: string): Promise<JsonObject | undefined> {
    try {
      return await this.#request('GET', `/apis/kubevirt.io/v1/namespaces/${this.#namespace}/${plural}/${this.#name}`);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }
}
