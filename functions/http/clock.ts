/** Wall time, milliseconds since the epoch. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
