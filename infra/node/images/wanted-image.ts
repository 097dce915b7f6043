import { parseReference } from './reference.ts';

export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** An image that a pod needs. */
export interface WantedImage {
  readonly reference: string;
  readonly pullPolicy: PullPolicy;
}

/** The policy as it is given, or as the API server would have filled it in. */
export function pullPolicy(given: string | undefined, reference: string): PullPolicy {
  if (given === 'Always' || given === 'IfNotPresent' || given === 'Never') return given;
  try {
    const { target } = parseReference(reference);
    return target.type === 'tag' && target.tag === 'latest' ? 'Always' : 'IfNotPresent';
  } catch {
    // Told when it is pulled.
    return 'Always';
  }
}
