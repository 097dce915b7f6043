/** Every single fault of one kind, at every place that a run without faults passes. */
import type { ApiFault, DeliveryFault, TableFault, WatchFault } from './injector.ts';
import type { Places } from './places.ts';
import type { Fault } from './single-fault.ts';

/** Longer than a relay waits for a function. */
const AFTER_THE_LIMIT_MS = 36_000;

const deliveryFaults: readonly DeliveryFault[] = [
  { what: 'request-lost' },
  { what: 'answer-lost' },
  { what: 'doubled' },
  { what: 'sender-killed' },
  { what: 'request-late', byMs: 3_000 },
  { what: 'request-late', byMs: AFTER_THE_LIMIT_MS },
  { what: 'answer-late', byMs: 3_000 },
  { what: 'answer-late', byMs: AFTER_THE_LIMIT_MS },
  { what: 'function-killed', atCall: 0, after: false },
  { what: 'function-killed', atCall: 1, after: false },
  { what: 'function-killed', atCall: 1, after: true },
  { what: 'function-frozen', atCall: 0, forMs: 5_000 },
  { what: 'function-frozen', atCall: 1, forMs: AFTER_THE_LIMIT_MS },
  { what: 'functions-restarted' },
  { what: 'older-view', back: 1 },
  { what: 'replayed', back: 1 },
  { what: 'replayed', back: 3 },
  { what: 'garbage' },
  { what: 'foreign-answer' },
  { what: 'forged-answer' },
];

const apiFaults: readonly ApiFault[] = [
  { what: 'refused', status: 409 },
  { what: 'refused', status: 422 },
  { what: 'refused', status: 429 },
  { what: 'refused', status: 500 },
  { what: 'no-answer', happened: false },
  { what: 'no-answer', happened: true },
  { what: 'reset', happened: false },
  { what: 'reset', happened: true },
  { what: 'relay-stopped' },
  { what: 'relay-killed', happened: false },
  { what: 'relay-killed', happened: true },
];

/** Long enough for the other replica to take over. */
const pausedLeader: ApiFault = { what: 'relay-paused', forMs: 40_000 };

const watchFaults: readonly WatchFault[] = [
  { what: 'cut' },
  { what: 'doubled' },
  { what: 'late', byMs: 4_000 },
  { what: 'expired' },
  { what: 'expired-inside' },
  { what: 'silent' },
];

const tableFaults: readonly TableFault[] = [
  { what: 'throttled' },
  { what: 'failed' },
  { what: 'failed-after' },
  { what: 'unprocessed' },
];

const plurals = [
  'pods',
  'virtualmachineinstances',
  'virtualmachines',
  'nodes',
  'persistentvolumeclaims',
  'controllerrevisions',
];

function strike<F, R>(places: readonly number[], faults: readonly F[], make: (index: number, fault: F) => R): R[] {
  return places.flatMap((index) => faults.map((fault) => make(index, fault)));
}

const surroundings: readonly Fault[] = [
  ...plurals.map((plural) => ({ at: 'lag', plural, byMs: 3_000 }) as const),
  ...(['api', 'functions', 'table'] as const).flatMap((link) =>
    [0, 1_000, 5_000].flatMap((fromMs) =>
      [2_000, 25_000, 60_000].map((forMs) => ({ at: 'partition', link, fromMs, forMs }) as const),
    ),
  ),
  ...([0, 1, 'functions'] as const).flatMap((whose) =>
    [-1_000, 1_000].map((byMs) => ({ at: 'skew', whose, byMs }) as const),
  ),
];

/** Which of the places of a kind are to be struck. */
export type Choice = (places: readonly string[]) => readonly number[];

/** The loops, by name: all faults for a scenario that passes those places. */
export const loops = {
  deliveries: ({ deliveries }: Places, choose: Choice): Fault[] =>
    strike(choose(deliveries), deliveryFaults, (index, fault) => ({ at: 'delivery', index, fault })),
  'API requests': ({ api }: Places, choose: Choice): Fault[] =>
    strike(choose(api), apiFaults, (index, fault) => ({ at: 'api', index, fault })),
  'paused leaders': ({ api }: Places, choose: Choice): Fault[] =>
    strike(choose(api), [pausedLeader], (index, fault) => ({ at: 'api', index, fault })),
  'watch events': ({ watchEvents }: Places, choose: Choice): Fault[] =>
    strike(choose(watchEvents), watchFaults, (index, fault) => ({ at: 'watch-event', index, fault })),
  'calls of the table': ({ table }: Places, choose: Choice): Fault[] =>
    strike(choose(table), tableFaults, (index, fault) => ({ at: 'table', index, fault })),
  surroundings: (_: Places, choose: Choice): Fault[] =>
    choose(surroundings.map((fault) => JSON.stringify(fault))).flatMap((index) => surroundings[index] ?? []),
} satisfies Record<string, (places: Places, choose: Choice) => Fault[]>;

export type LoopName = keyof typeof loops;

/** Whether a loop's runs have two replicas of the relay. */
export function replicasIn(loop: LoopName): number {
  return loop === 'paused leaders' || loop === 'surroundings' ? 2 : 1;
}
