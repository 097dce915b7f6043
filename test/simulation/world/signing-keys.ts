import { parseSigningKeys } from '../../../events/envelope/signing.ts';

/** Shared by the relays and functions of all worlds. */
export const signingKeys = parseSigningKeys('key-of-the-simulated-world-32-chars');
