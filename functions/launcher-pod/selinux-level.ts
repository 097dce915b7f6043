import { RenderError } from './render-error.ts';

/** Context of a VM on a node without SELinux. */
export const NO_SELINUX = 'none';

/**
 * The level of a context `user:role:type:level`, which may hold colons itself; empty where the context has none.
 *
 * @param leastParts with fewer parts the context is an error
 * @throws RenderError `bad-selinux-context`
 */
export function selinuxLevel(context: string, leastParts: 3 | 4): string {
  const parts = context.split(':');
  if (parts.length < leastParts) throw new RenderError({ type: 'bad-selinux-context', context });
  return parts.slice(3).join(':');
}
