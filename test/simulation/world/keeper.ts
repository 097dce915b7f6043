/** Who keeps a relay's process: faults on its ways can end or stop all of it. */
export interface Keeper {
  killAndRestart(): void;
  stopAndRestart(): void;
  pause(forMs: number): void;
}
