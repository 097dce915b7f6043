import type { VirtualMachine } from '../../core/objects.ts';

export type EffectiveRunStrategy =
  | { readonly type: 'strategy'; readonly name: string }
  /** Both fields are set. */
  | { readonly type: 'invalid' };

/** Effective run strategy (vm.md 5.1). Names that are none are let through: what follows them says so. */
export function effectiveRunStrategy({ spec }: VirtualMachine): EffectiveRunStrategy {
  const running = spec.running ?? undefined;
  const named = spec.runStrategy ?? undefined;
  if (running !== undefined && named !== undefined) return { type: 'invalid' };
  if (running !== undefined) return { type: 'strategy', name: running ? 'Always' : 'Halted' };
  return { type: 'strategy', name: named ?? 'Halted' };
}
