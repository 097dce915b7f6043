import type { SealedText } from './sealer.ts';

/** This many characters in a row in common with a secret are taken out; of a text around secrets it must be more. */
const LENGTH = { value: 12, text: 40 } as const;
/** What is shorter can't be told from anything else. */
const SHORTEST = 4;

/**
 * A message of the API server without what it quotes of sealed texts ("Invalid value: ..."): messages go to functions as results,
 * and into the relay's log.
 */
export function redacted(message: string, contents: readonly SealedText[]): string {
  const hidden = new Uint8Array(message.length);
  for (const { text, type } of contents) {
    // A message may quote with escapes, or as it is.
    for (const quoted of new Set([text, JSON.stringify(text).slice(1, -1)]))
      hide(message, quoted, LENGTH[type], hidden);
  }
  let result = '';
  for (let i = 0; i < message.length; i++) {
    if (hidden[i] === 0) result += message[i];
    else if (hidden[i - 1] !== 1) result += '[sealed]';
  }
  return result;
}

function hide(message: string, secret: string, length: number, hidden: Uint8Array): void {
  const size = Math.min(length, secret.length);
  if (size < SHORTEST) return;
  const places = new Map<string, number[]>();
  for (let i = 0; i + size <= message.length; i++) {
    const part = message.slice(i, i + size);
    const found = places.get(part);
    if (found === undefined) places.set(part, [i]);
    else found.push(i);
  }
  for (let i = 0; i + size <= secret.length; i++) {
    for (const place of places.get(secret.slice(i, i + size)) ?? []) hidden.fill(1, place, place + size);
  }
}
