import type { HttpRequest, HttpResponse } from '../../../events/relay/ports.ts';
import { DEFAULT_BACK_OFF } from '../../../functions/http/back-off.ts';
import type { AnyReconcile } from '../../../functions/http/pass.ts';
import { createReconcileApp } from '../../../functions/http/reconcile-app.ts';
import type { FunctionApp } from '../../../functions/http/signed-app.ts';
import type { ControllerShape } from '../../../functions/http/snapshot.ts';
import { createLeaseApp } from '../../../functions/lease/lease-app.ts';
import type { DeliveryFault } from '../faults/injector.ts';
import { signingKeys } from './signing-keys.ts';
import { TableLink } from './table-link.ts';
import type { World } from './world.ts';

/** A function's own limit for one request, below the relay's. */
const TIME_LIMIT_MS = 10_000;
const COLD_START_MS = 300;

export interface SimulatedController {
  readonly controller: ControllerShape;
  readonly reconcile: AnyReconcile;
}

/** One instance of a function: it serves one request at a time, and a killed one never answers. */
interface Instance {
  readonly app: FunctionApp;
  readonly table: TableLink;
}

/** All functions, as a platform runs them: an instance is started when none is idle. */
export class FunctionHost {
  readonly #world: World;
  readonly #controllers: ReadonlyMap<string, SimulatedController>;
  readonly #idle = new Map<string, Instance[]>();
  /** Rises when all instances end: those of before are never heard of again. */
  #generation = 0;

  constructor(world: World, controllers: readonly SimulatedController[]) {
    this.#world = world;
    this.#controllers = new Map(controllers.map((c) => [c.controller.name, c]));
  }

  /** Ends all instances, as a new version or a failing machine does. Requests under way get no answer. */
  killAll(): void {
    this.#idle.clear();
    this.#generation++;
  }

  /** Runs one request in one instance; never resolves if that is killed. */
  async invoke(name: string, request: HttpRequest, fault?: DeliveryFault): Promise<HttpResponse> {
    const { time, injector } = this.#world;
    const generation = this.#generation;
    const warm = this.#idle.get(name)?.pop();
    if (warm === undefined && this.#world.coldStarts) await time.sleep(COLD_START_MS);
    const instance = warm ?? this.#start(name);
    const computed = time.computing();
    instance.table.begin(computed, fault);
    const body = request.body as Uint8Array<ArrayBuffer>;
    const whole = new Request(`http://function${request.path}`, { method: 'POST', headers: request.headers, body });
    const deadlineMs = time.now + injector.skewMs('functions') + TIME_LIMIT_MS;
    const response = await instance.app.fetch(whole, { deadlineMs });
    computed();
    if (generation !== this.#generation) return never();
    const read = time.computing();
    const bytes = new Uint8Array(await response.arrayBuffer());
    read();
    this.#idle.set(name, [...(this.#idle.get(name) ?? []), instance]);
    return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes };
  }

  #start(name: string): Instance {
    const { time, injector, trace } = this.#world;
    const link = new TableLink(this.#world, name);
    const say = (level: string) => (message: string, fields?: object) =>
      trace.say(name, () => `${level}: ${message} ${JSON.stringify(fields ?? {})}`);
    const parts = {
      table: link.table,
      keys: signingKeys,
      clock: () => time.now + injector.skewMs('functions'),
      timers: { after: (ms: number, run: () => void) => time.after(ms, run), turn: () => Promise.resolve() },
      log: { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
      metrics: () => undefined,
      backOff: DEFAULT_BACK_OFF,
    };
    if (name === 'lease') return { app: createLeaseApp(parts), table: link };
    const definition = this.#controllers.get(name);
    if (definition === undefined) throw new Error(`there is no function ${name}`);
    return { app: createReconcileApp({ ...parts, ...definition }), table: link };
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
