import { sha256Hex } from './digest.ts';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const PREFIX_LENGTH = 58;

/**
 * The name of an object that the spec creates with `generateName`: the same for the same owner, intent and ordinal, so that
 * an action handed out twice makes one object (design: "Derived names").
 */
export function derivedName(generateName: string, ownerUid: string, intent: string, ordinal: number): string {
  let number = BigInt(`0x${sha256Hex(JSON.stringify([ownerUid, intent, ordinal]))}`);
  const base = BigInt(ALPHABET.length);
  let suffix = '';
  for (let i = 0; i < 5; i++) {
    suffix += ALPHABET[Number(number % base)];
    number /= base;
  }
  return generateName.slice(0, PREFIX_LENGTH) + suffix;
}

/** The derived name with the smallest ordinal that no object in the snapshot bears, dying and finished ones included. */
export function freeDerivedName(
  generateName: string,
  ownerUid: string,
  intent: string,
  borne: ReadonlySet<string>,
): { readonly name: string; readonly ordinal: number } {
  for (let ordinal = 0; ; ordinal++) {
    const name = derivedName(generateName, ownerUid, intent, ordinal);
    if (!borne.has(name)) return { name, ordinal };
  }
}
