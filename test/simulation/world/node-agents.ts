import { timestamp } from '../../../functions/core/context.ts';
import type { World } from './world.ts';

const BEAT_MS = 60_000;
const heartbeat = 'kubevirt.io/heartbeat';
/** As old as no agent's that is alive. */
const SILENT_MS = 240_000;

interface NodeObject {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** The heartbeats of the nodes that scenarios make. An agent whose heartbeat is old already stays silent. */
export class NodeAgents {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  start(): void {
    this.#world.time.every(BEAT_MS, () => this.#beat());
  }

  #beat(): void {
    const { time } = this.#world;
    const { items } = this.#world.server.request({ method: 'GET', path: '/api/v1/nodes' }).body as {
      items: readonly NodeObject[];
    };
    for (const { metadata } of items) {
      const last = Date.parse(metadata.annotations?.[heartbeat] ?? '');
      if (!(time.now - last < SILENT_MS)) continue;
      const body = { metadata: { annotations: { [heartbeat]: timestamp(time.now) } } };
      const contentType = 'application/merge-patch+json';
      this.#world.serve(metadata.name, { method: 'PATCH', path: `/api/v1/nodes/${metadata.name}`, body, contentType });
    }
  }
}
