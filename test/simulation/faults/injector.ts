/**
 * Where a simulated world can be disturbed. An injector is asked at each such place and says what goes wrong there; all calls of
 * one place are counted from 0, from the moment at which the first relay leads.
 */

export type DeliveryFault =
  /** The request never arrives. */
  | { readonly what: 'request-lost' }
  /** The function decides, and nobody hears of it. */
  | { readonly what: 'answer-lost' }
  /** The relay is killed when it has sent the request, which arrives when another leads. */
  | { readonly what: 'sender-killed' }
  /** The function gets the request twice. */
  | { readonly what: 'doubled' }
  /** The request, or the answer, is that late. */
  | { readonly what: 'request-late' | 'answer-late'; readonly byMs: number }
  /** The function ends at its n-th call of the table, 0 the first: before that has an effect, or after. */
  | { readonly what: 'function-killed'; readonly atCall: number; readonly after: boolean }
  /** The function's instance stands still at that call of the table, after it took effect, and goes on later. */
  | { readonly what: 'function-frozen'; readonly atCall: number; readonly forMs: number }
  /** All instances of all functions are ended just before; those that work are never heard of again. */
  | { readonly what: 'functions-restarted' }
  /** The function gets once more, just before, what was delivered to it that many deliveries ago; its answer reaches nobody. */
  | { readonly what: 'replayed'; readonly back: number }
  /** The function sees what the key's delivery before showed, with the results of now; its answer is lost. */
  | { readonly what: 'older-view'; readonly back: number }
  /** An answer that is not one: other bytes, that to another request, or one that nobody signed and that says there is nothing to do. */
  | { readonly what: 'garbage' | 'foreign-answer' | 'forged-answer' };

export type ApiFault =
  /** Nothing is done, and the server says so. */
  | { readonly what: 'refused'; readonly status: 409 | 422 | 429 | 500 }
  /** No answer comes; what was asked for has happened, or not. */
  | { readonly what: 'no-answer'; readonly happened: boolean }
  /** The connection breaks at once; what was asked for has happened, or not. */
  | { readonly what: 'reset'; readonly happened: boolean }
  /** The relay is told to end, gives its leases back, and is started again. */
  | { readonly what: 'relay-stopped' }
  /** The relay is killed before the request leaves, or when its answer arrives, and started again. */
  | { readonly what: 'relay-killed'; readonly happened: boolean }
  /** The relay stands still before the request leaves, and wakes after that time. */
  | { readonly what: 'relay-paused'; readonly forMs: number };

export type WatchFault =
  /** The connection breaks before the event. */
  | { readonly what: 'cut' }
  | { readonly what: 'doubled' }
  /** This event and all after it on its connection are late. */
  | { readonly what: 'late'; readonly byMs: number }
  /** The connection breaks, and what the relay has seen last is too old for the server. */
  | { readonly what: 'expired' }
  /** The same, but the server says so inside the open stream. */
  | { readonly what: 'expired-inside' }
  /** The connection stays, and nothing ever comes over it again. */
  | { readonly what: 'silent' };

export type TableFault =
  | { readonly what: 'throttled' | 'failed' }
  /** It has happened, but the answer is an error. */
  | { readonly what: 'failed-after' }
  /** All keys of a batch but the first are left unprocessed. */
  | { readonly what: 'unprocessed' };

export interface ApiCall {
  readonly relay: string;
  readonly method: string;
  readonly path: string;
}

export interface Injector {
  /** Deliveries to controllers' functions; the lease's are told apart by `unreachable`. */
  delivery(index: number, controller: string): DeliveryFault | undefined;
  /** Requests of relays to the API server, but for lists, watches, probes and leases. */
  api(index: number, call: ApiCall): ApiFault | undefined;
  watchEvent(index: number, plural: string): WatchFault | undefined;
  /** Calls of the table by functions of controllers. */
  table(index: number, command: string): TableFault | undefined;
  /** How much later than others a kind's events arrive. */
  lagMs(plural: string): number;
  /** Whether nothing passes between a relay and the API server or the functions, or between the functions and the table. */
  unreachable(link: Link, nowMs: number): boolean;
  /** How far a clock is off: of a relay by its number, or of all functions. */
  skewMs(whose: number | 'functions'): number;
}

export type Link = 'api' | 'functions' | 'table';

export const noFaults: Injector = {
  delivery: () => undefined,
  api: () => undefined,
  watchEvent: () => undefined,
  table: () => undefined,
  lagMs: () => 0,
  unreachable: () => false,
  skewMs: () => 0,
};
