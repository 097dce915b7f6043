import { SeededRandom } from '../world/random.ts';
import type { ApiFault, DeliveryFault, Injector, Link, TableFault, WatchFault } from './injector.ts';

/** What may go wrong, and how often: drawn from a seed. */
export interface Weather {
  /** Probabilities at each place. */
  readonly delivery: number;
  readonly api: number;
  readonly watchEvent: number;
  readonly table: number;
  /** How much later than others the events of a kind are, at most. */
  readonly lagMs: number;
  /** How far clocks are from the true time, at most: two are at most twice that apart, which is the bound of the lease. */
  readonly skewMs: number;
  readonly partitions: readonly { readonly link: Link; readonly fromMs: number; readonly forMs: number }[];
  /** After that virtual time, all is well. */
  readonly clearsAfterMs: number;
}

const links = ['api', 'functions', 'table'] as const;

export function drawWeather(random: SeededRandom): Weather {
  const rate = () => (random.chance(0.4) ? 0 : random.next() ** 3 * 0.3);
  const partition = () => ({
    link: random.pick(links),
    fromMs: random.between(0, 30_000),
    forMs: random.between(500, 40_000),
  });
  return {
    delivery: rate(),
    api: rate(),
    watchEvent: rate(),
    table: rate(),
    lagMs: random.chance(0.5) ? 0 : random.between(1, 5_000),
    skewMs: random.chance(0.5) ? 0 : 1_000,
    partitions: Array.from({ length: random.chance(0.7) ? 0 : random.between(1, 3) }, partition),
    clearsAfterMs: random.between(10_000, 120_000),
  };
}

/** Faults as the weather has it, from `beginMs` on. */
export function randomFaults(random: SeededRandom, weather: Weather, beginMs: number): Injector {
  let clearsAtMs = Number.POSITIVE_INFINITY;
  let nowMs = beginMs;
  const strikes = (probability: number) => nowMs < clearsAtMs && random.chance(probability);
  const lags = new Map<string, number>();
  const skews = new Map<number | 'functions', number>();
  const memo = <K>(map: Map<K, number>, key: K, draw: () => number): number => {
    const known = map.get(key) ?? draw();
    map.set(key, known);
    return known;
  };
  return {
    delivery: () => (strikes(weather.delivery) ? drawDeliveryFault(random) : undefined),
    api: () => (strikes(weather.api) ? drawApiFault(random) : undefined),
    watchEvent: () => (strikes(weather.watchEvent) ? drawWatchFault(random) : undefined),
    table: () => (strikes(weather.table) ? drawTableFault(random) : undefined),
    lagMs: (plural) => memo(lags, plural, () => random.between(0, weather.lagMs)),
    skewMs: (whose) => memo(skews, whose, () => random.between(-weather.skewMs, weather.skewMs)),
    unreachable: (link, atMs) => {
      nowMs = atMs;
      if (clearsAtMs === Number.POSITIVE_INFINITY) clearsAtMs = atMs + weather.clearsAfterMs;
      return weather.partitions.some(
        (p) => p.link === link && atMs >= beginMs + p.fromMs && atMs < beginMs + p.fromMs + p.forMs,
      );
    },
  };
}

function drawDeliveryFault(random: SeededRandom): DeliveryFault {
  const byMs = random.between(100, 60_000);
  return random.pick<DeliveryFault>([
    { what: 'request-lost' },
    { what: 'answer-lost' },
    { what: 'doubled' },
    { what: 'sender-killed' },
    { what: 'request-late', byMs },
    { what: 'answer-late', byMs },
    { what: 'function-killed', atCall: random.between(0, 2), after: random.chance(0.5) },
    { what: 'older-view', back: random.between(1, 3) },
    { what: 'replayed', back: random.between(1, 8) },
    { what: 'function-frozen', atCall: random.between(0, 2), forMs: byMs },
    { what: 'garbage' },
    { what: 'foreign-answer' },
    { what: 'forged-answer' },
    { what: 'functions-restarted' },
  ]);
}

function drawApiFault(random: SeededRandom): ApiFault {
  const happened = random.chance(0.5);
  return random.pick<ApiFault>([
    { what: 'refused', status: random.pick([409, 422, 429, 500]) },
    { what: 'no-answer', happened },
    { what: 'reset', happened },
    { what: 'relay-stopped' },
    { what: 'relay-killed', happened },
    { what: 'relay-paused', forMs: random.between(100, 40_000) },
  ]);
}

function drawWatchFault(random: SeededRandom): WatchFault {
  return random.pick<WatchFault>([
    { what: 'cut' },
    { what: 'doubled' },
    { what: 'expired' },
    { what: 'expired-inside' },
    { what: 'silent' },
    { what: 'late', byMs: random.between(10, 20_000) },
  ]);
}

function drawTableFault(random: SeededRandom): TableFault {
  return { what: random.pick(['throttled', 'failed', 'failed-after', 'unprocessed']) };
}
