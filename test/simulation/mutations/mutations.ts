/**
 * Defects that the simulation must find, each made by one line of the product: proof that it bites. `find` occurs exactly once in
 * its file; `put` stands in its place.
 */
import type { LoopName } from '../faults/loops.ts';

export interface Mutation {
  readonly name: string;
  /** From the checkout's root. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
  /** The runs that find it. */
  readonly foundBy: Runs;
}

/** A scenario with every fault of a loop that is called so; without a loop, one in which nothing goes wrong. */
export interface Runs {
  readonly scenario: string;
  readonly loop?: LoopName;
  readonly what?: string;
}

export const mutations: readonly Mutation[] = [
  {
    name: 'expectations are ignored',
    file: 'functions/http/pass.ts',
    find: 'if (state === undefined || request.listedToken > state.token) return [];',
    put: 'if (state !== undefined || request.listedToken > 0) return [];',
    foundBy: { scenario: 'vmi/lifecycle', loop: 'deliveries', what: 'older-view' },
  },
  {
    name: 'the token is not checked',
    file: 'functions/http/batch.ts',
    find: 'if (!isHeldUnder(states.lease, request.token)) throw new StaleTokenError("the token is not the lease\'s");',
    put: '',
    foundBy: { scenario: 'vmi/lifecycle', loop: 'deliveries', what: 'sender-killed' },
  },
  {
    name: 'the list after acquisition is skipped',
    file: 'events/relay/relay.ts',
    find: 'await this.#reflectors.relistAll(token);',
    put: '',
    foundBy: { scenario: 'vmi/lifecycle' },
  },
  {
    name: 'absence is not checked',
    file: 'events/relay/apply/apply.ts',
    find: 'for (const precondition of preconditions) {',
    put: 'for (const precondition of []) {',
    foundBy: { scenario: 'vmi/lifecycle' },
  },
  {
    name: 'own writes do not enter the cache',
    file: 'events/relay/cache/kind-cache.ts',
    find: "if (this.#tombstones.has(lean.metadata.uid ?? '')) return;",
    put: 'return;',
    foundBy: { scenario: 'vm/restart', loop: 'surroundings', what: 'lag' },
  },
  {
    name: 'deletions carry no uid',
    file: 'events/relay/apply/apply.ts',
    find: 'preconditions: { uid: action.uid, resourceVersion },',
    put: 'preconditions: { resourceVersion },',
    foundBy: { scenario: 'vm/restart' },
  },
  {
    name: 'names are not derived',
    file: 'functions/core/derived-name.ts',
    find: 'sha256Hex(JSON.stringify([ownerUid, intent, ordinal]))',
    put: 'sha256Hex(JSON.stringify([ownerUid, intent, ordinal, performance.now()]))',
    foundBy: { scenario: 'vmi/lifecycle', loop: 'deliveries', what: 'doubled' },
  },
  {
    name: 'the mark of a key that changes while it is processed is lost',
    file: 'events/relay/queue/work-queue.ts',
    find: 'if (again !== undefined && !this.#closed) this.#waiting.set(key, again);',
    put: '',
    foundBy: { scenario: 'vm/restart' },
  },
  {
    name: 'a wanted later visit is forgotten',
    file: 'events/relay/delivery/delivery.ts',
    find: "this.#queue.addAfter(key, outcome.afterMs);\n        return;\n      case 'stale':",
    put: "return;\n      case 'stale':",
    foundBy: { scenario: 'vmi/lifecycle', loop: 'calls of the table' },
  },
  {
    name: 'an answer is not matched to its request',
    file: 'events/envelope/signing.ts',
    find: "const lines = ['answer', message.audience, message.id, String(message.token), timestamp];",
    put: 'return;',
    foundBy: { scenario: 'vmi/lifecycle', loop: 'deliveries', what: 'forged-answer' },
  },
  {
    name: 'a delivery that failed is not tried again',
    file: 'events/relay/delivery/delivery.ts',
    find: 'this.#queue.addAfter(key, backOffMs(this.#memories.unanswered(key)));',
    put: '',
    foundBy: { scenario: 'vmi/lifecycle', loop: 'deliveries', what: 'request-lost' },
  },
  {
    name: 'a row is written whatever it has become',
    file: 'functions/store/write-key-state.ts',
    find: "return allOf(equals('version', { N: String(read.version) }), isAtMost('token', { N: String(writer.token) }));",
    put: "return allOf(isAtMost('token', { N: String(9e9) }));",
    foundBy: { scenario: 'vm/restart', loop: 'deliveries', what: 'doubled' },
  },
  {
    name: 'an expired watch is gone on with',
    file: 'events/relay/reflector/reflector.ts',
    find: 'if (isExpired) this.#wanted ??= { token: this.cache.listedUnder, done: [] };',
    put: '',
    foundBy: { scenario: 'vmi/lifecycle', loop: 'watch events', what: 'expired' },
  },
];
