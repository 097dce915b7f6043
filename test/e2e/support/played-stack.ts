import { afterAll, beforeAll } from 'vitest';
import { type BareStack, startBareStack } from './bare-stack.ts';
import { ClusterPlayer } from './cluster-player.ts';

export interface PlayedStack {
  /** There from the first test on. */
  readonly stack: BareStack;
  readonly player: ClusterPlayer;
}

/** For a test file: a bare stack, and a player for the namespace, from before its first test until after its last. */
export function usePlayedStack(namespace: string, ...args: string[]): PlayedStack {
  const used = {} as { stack: BareStack; player: ClusterPlayer };
  beforeAll(async () => {
    used.stack = await startBareStack(...args);
    used.player = new ClusterPlayer(used.stack.request, namespace);
    await used.player.start();
  });
  afterAll(async () => {
    await used.player?.stop();
    await used.stack?.stop();
  });
  return used;
}
