import type { EventAction } from '../../../functions/core/action.ts';
import { timestamp } from '../../../functions/core/context.ts';
import type { Random } from '../ports.ts';
import type { StoredEvent } from './correlator.ts';

const MAX_NAME = 253;

/** Namespace of an event: its object's, `default` for objects of the cluster (runtime.md 10.2, case 72). */
export function namespaceOf(event: EventAction): string {
  const { namespace } = event.regarding;
  return namespace === undefined || namespace === '' ? 'default' : namespace;
}

/**
 * `<object name>.<time in ns, hexadecimal>`, a UUID where that is no valid name. The clock knows milliseconds; chance fills
 * in what is below them, so that events of one object at one time have names of their own.
 */
export function eventName(event: EventAction, atMs: number, random: Random): string {
  const nanoseconds = BigInt(Math.floor(atMs)) * 1_000_000n + BigInt(Math.floor(random.next() * 1e6));
  const name = `${event.regarding.name}.${nanoseconds.toString(16)}`;
  return name.length <= MAX_NAME && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) ? name : random.uuid();
}

/** The object of core `v1` as it is created. */
export function eventObject(event: EventAction, message: string, component: string, stored: StoredEvent, atMs: number) {
  const { apiVersion, kind, name, namespace, uid, resourceVersion } = event.regarding;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: stored.name, namespace: namespaceOf(event) },
    involvedObject: { apiVersion, kind, name, namespace, uid, resourceVersion },
    type: event.type,
    reason: event.reason,
    message,
    source: { component },
    reportingComponent: component,
    count: stored.count,
    firstTimestamp: timestamp(stored.firstAtMs),
    lastTimestamp: timestamp(atMs),
  };
}
