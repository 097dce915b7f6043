import { age, type Definition } from './definition.ts';
import { conditions, object, text } from './schema.ts';

export const kubeVirt: Definition = {
  kind: 'KubeVirt',
  singular: 'kubevirt',
  plural: 'kubevirts',
  shortNames: ['kv', 'kvs'],
  statusSubresource: true,
  columns: [age, { name: 'Phase', type: 'string', jsonPath: '.status.phase' }],
  spec: object({ configuration: object({ developerConfiguration: object() }) }),
  status: object({ phase: text, conditions }),
};
