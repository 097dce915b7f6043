import { ApiServer } from '../api-server.ts';
import type { Obj, Value } from '../json/value.ts';
import type { CustomResourceDefinition } from '../resources/custom-resource.ts';
import { type Event, type Target, upTo } from './target.ts';

/** The model under a clock that stands still, and chance that is seeded. */
export function modelTarget(definitions: readonly CustomResourceDefinition[]): { server: ApiServer; target: Target } {
  let seed = 1;
  let uuids = 0;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const uuid = (): string => `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}`;
  const now = Date.now();
  const server = new ApiServer({ now: () => now, random, uuid }, definitions);
  const target: Target = {
    request: async (method, path, body, contentType) => {
      const request = { method, path, body, ...(contentType === undefined ? {} : { contentType }) };
      const answer = server.request(request);
      return { status: answer.status, body: answer.body as Value };
    },
    watch: async (path) => {
      const events: Event[] = [];
      const watch = server.watch(path, ({ type, object }) => events.push({ type, object: object as unknown as Obj }));
      if ('status' in watch) return { status: watch.status, body: watch.body as Value };
      return { until: async (name) => upTo(events, name) ?? events, close: () => watch.close() };
    },
  };
  return { server, target };
}
