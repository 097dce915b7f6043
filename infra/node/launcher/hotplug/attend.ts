import type { Pod } from '../../../../functions/core/objects.ts';
import { type ClaimSource, findClaims } from '../claims-of-pods.ts';
import type { Reporter } from '../reporter.ts';
import { decideAttachment } from './attachment-pod.ts';

/** A kubelet's part for an attachment pod. */
export async function attendAttachment(pod: Pod, claims: ClaimSource, reporter: Reporter): Promise<void> {
  const decision = decideAttachment(pod, findClaims(pod, claims).state);
  switch (decision.type) {
    case 'none':
      return;
    case 'remove-pod':
      return reporter.removePod(pod.metadata.namespace ?? '', pod.metadata.name, pod.metadata.uid ?? '');
    case 'report':
      if (decision.problem !== undefined) await reporter.warnOfMount(pod, decision.problem);
      await reporter.pod(pod, decision.course);
  }
}
