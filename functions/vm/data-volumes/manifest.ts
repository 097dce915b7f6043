import type { V1beta1DataVolumeSpec } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { DataVolume as DataVolumeKind } from '../../core/kinds.ts';
import type { DataVolume, ObjectMeta, VirtualMachine } from '../../core/objects.ts';
import { ownerReferenceTo } from '../../core/owner.ts';

export type Template = NonNullable<VirtualMachine['spec']['dataVolumeTemplates']>[number];

export function metadataOf(template: Template): Partial<ObjectMeta> {
  return (template.metadata ?? {}) as Partial<ObjectMeta>;
}

export function nameOf(template: Template): string {
  return metadataOf(template).name ?? '';
}

/** The data volume of a template (vm.md 8, step 1). `spec`: the template's, its source resolved. */
export function dataVolumeFrom(vm: VirtualMachine, template: Template, spec: V1beta1DataVolumeSpec): DataVolume {
  const metadata = metadataOf(template);
  const owner = ownerReferenceTo(vm);
  const priorityClassName = spec.priorityClassName || vm.spec.template?.spec?.priorityClassName;
  return {
    apiVersion: DataVolumeKind.apiVersion,
    kind: DataVolumeKind.kind,
    metadata: {
      ...metadata,
      name: nameOf(template),
      namespace: vm.metadata.namespace,
      labels: { ...metadata.labels, 'kubevirt.io/created-by': owner.uid },
      annotations: { ...metadata.annotations, 'cdi.kubevirt.io/allowClaimAdoption': 'true' },
      ownerReferences: [owner],
    },
    spec: { ...spec, priorityClassName },
  };
}
