import { isNonZero } from './set-members.ts';

interface Annotated {
  readonly metadata?: { annotations?: Record<string, string> };
}

/** Adds annotations that are missing: keys that are there keep their values (vm.md 10.4, 10.6). */
export function withMissingAnnotations<T extends Annotated>(
  target: T,
  wanted: Readonly<Record<string, string>> | undefined,
): T {
  if (!isNonZero(wanted)) return target;
  const annotations = { ...wanted, ...target.metadata?.annotations };
  return { ...target, metadata: { ...target.metadata, annotations } };
}
