/** What the two servers have in common, as the test drives them. */
import type { Obj, Value } from '../json/value.ts';

export interface Answer {
  readonly status: number;
  readonly body: Value;
}

export interface Event {
  readonly type: string;
  readonly object: Obj;
}

export interface Stream {
  /** All events up to the first of an object of that name (with it), or to an error. */
  until(name: string): Promise<readonly Event[]>;
  close(): void;
}

export interface Target {
  request(method: string, path: string, body?: Value, contentType?: string): Promise<Answer>;
  /** The refusal, or the stream. */
  watch(path: string): Promise<Answer | Stream>;
}

/** The events so far, if the one that is waited for, or an error, is among them. */
export function upTo(events: readonly Event[], name: string): readonly Event[] | undefined {
  const end = events.findIndex(({ type, object }) => {
    const { metadata } = object;
    return type === 'ERROR' || (typeof metadata === 'object' && (metadata as Obj).name === name);
  });
  return end < 0 ? undefined : events.slice(0, end + 1);
}
