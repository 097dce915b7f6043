import { age, conditionColumn, type Definition } from './definition.ts';
import { bool, conditions, embeddedMetadata, listOf, object, text } from './schema.ts';
import { instanceSpec } from './virtual-machine-instance.ts';

const dataVolumeTemplate = object({ metadata: embeddedMetadata, spec: object() }, ['spec']);

export const virtualMachine: Definition = {
  kind: 'VirtualMachine',
  singular: 'virtualmachine',
  plural: 'virtualmachines',
  shortNames: ['vm', 'vms'],
  statusSubresource: true,
  columns: [age, { name: 'Status', type: 'string', jsonPath: '.status.printableStatus' }, conditionColumn('Ready')],
  spec: object(
    {
      running: bool,
      runStrategy: text,
      template: object({ metadata: embeddedMetadata, spec: instanceSpec }),
      dataVolumeTemplates: listOf(dataVolumeTemplate),
    },
    ['template'],
  ),
  status: object({
    // The API server fills it in as soon as there is a status, when it writes and when it reads.
    printableStatus: { ...text, default: 'Stopped' },
    created: bool,
    ready: bool,
    conditions,
    stateChangeRequests: listOf(object({ action: text }, ['action'])),
  }),
};
