import {
  type ApiFault,
  type DeliveryFault,
  type Injector,
  type Link,
  noFaults,
  type TableFault,
  type WatchFault,
} from './injector.ts';

/** One thing that goes wrong, at one place. As data, so that a run can be told and repeated. */
export type Fault =
  | { readonly at: 'delivery'; readonly index: number; readonly fault: DeliveryFault }
  | { readonly at: 'api'; readonly index: number; readonly fault: ApiFault }
  | { readonly at: 'watch-event'; readonly index: number; readonly fault: WatchFault }
  | { readonly at: 'table'; readonly index: number; readonly fault: TableFault }
  /** All events of a kind are late. */
  | { readonly at: 'lag'; readonly plural: string; readonly byMs: number }
  /** Nothing passes on a link for a while. */
  | { readonly at: 'partition'; readonly link: Link; readonly fromMs: number; readonly forMs: number }
  | { readonly at: 'skew'; readonly whose: number | 'functions'; readonly byMs: number };

/** Times of partitions count from `beginMs`. */
export function singleFault(fault: Fault, beginMs: number): Injector {
  const on = <T>(place: Fault['at'], index: number): T | undefined =>
    'index' in fault && fault.at === place && fault.index === index ? (fault.fault as T) : undefined;
  switch (fault.at) {
    case 'lag':
      return { ...noFaults, lagMs: (plural) => (plural === fault.plural ? fault.byMs : 0) };
    case 'partition': {
      const from = beginMs + fault.fromMs;
      const isCut = (nowMs: number) => nowMs >= from && nowMs < from + fault.forMs;
      return { ...noFaults, unreachable: (link, nowMs) => link === fault.link && isCut(nowMs) };
    }
    case 'skew':
      return { ...noFaults, skewMs: (whose) => (whose === fault.whose ? fault.byMs : 0) };
    case 'delivery':
    case 'api':
    case 'watch-event':
    case 'table':
      return {
        ...noFaults,
        delivery: (index) => on('delivery', index),
        api: (index) => on('api', index),
        watchEvent: (index) => on('watch-event', index),
        table: (index) => on('table', index),
      };
  }
}
