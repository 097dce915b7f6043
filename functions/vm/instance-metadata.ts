import { addOrReplace } from '../core/json-patch.ts';
import { synced } from '../rules/synced-metadata/synced.ts';
import { patchInstance } from './instance-patch.ts';
import { isBeingDeleted } from './instance-state.ts';
import type { Pass } from './pass.ts';
import { next, type Step, syncError } from './step.ts';

const DESCHEDULER = ['descheduler.alpha.kubernetes.io/evict', 'descheduler.alpha.kubernetes.io/prefer-no-eviction'];
const SKIP_BACKUP_HOOKS = ['kubevirt.io/skip-backup-hooks'];

/**
 * Labels and annotations that follow the VM while its VMI runs (vm.md 6.6). Template and VM both feed the annotations: they go
 * into one patch, where the original sends two of which the second can never hold.
 */
export function syncMetadata(pass: Pass): Step {
  const { instance, editCopy } = pass;
  if (instance === undefined || isBeingDeleted(instance)) return next;
  const { additionalLauncherLabelsSync, additionalLauncherAnnotationsSync } = pass.context.configuration.process;
  const template = editCopy.spec.template?.metadata;
  const { labels, annotations } = instance.metadata;

  const nextLabels = synced(template?.labels, labels, additionalLauncherLabelsSync);
  const ofTemplate = synced(template?.annotations, annotations, [...DESCHEDULER, ...additionalLauncherAnnotationsSync]);
  const ofVm = synced(editCopy.metadata.annotations, ofTemplate ?? annotations, SKIP_BACKUP_HOOKS);
  const nextAnnotations = ofVm ?? ofTemplate;

  const operations = [
    ...(nextLabels === undefined ? [] : addOrReplace('/metadata/labels', labels, nextLabels)),
    ...(nextAnnotations === undefined ? [] : addOrReplace('/metadata/annotations', annotations, nextAnnotations)),
  ];
  if (operations.length === 0) return next;
  const metadata = {
    ...instance.metadata,
    ...(nextLabels && { labels: nextLabels }),
    ...(nextAnnotations && { annotations: nextAnnotations }),
  };
  const failure = patchInstance(pass, 'vmi-metadata', operations, { ...instance, metadata });
  return failure === undefined
    ? next
    : syncError('AnnotationsLabelsChangeError', `Labels and annotations of the VMI: ${failure.message}`);
}
