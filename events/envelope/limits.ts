/** What a batch to one function, or the answer to it, may weigh when encoded. The sender keeps to it. */
export const MAX_BATCH_BYTES = 4_000_000;

/** What a receiver reads of a body at all: above the senders' limit, below what function URLs carry. */
export const MAX_BODY_BYTES = 6_000_000;

/** Keys in one batch: with the lease item they fill one BatchGetItem (100 keys). */
export const MAX_BATCH_ITEMS = 99;

/** Nesting of arrays and objects in a body. A pod in a snapshot in a batch needs less than 20. */
export const MAX_NESTING = 64;

/** Text of a reason on the wire, in characters. */
export const MAX_REASON_LENGTH = 1024;
