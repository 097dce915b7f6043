/** CustomResourceDefinitions. What they define is served once they are established (controllers/definitions.ts). */
import { equal, objAt, objsAt, textAt } from '../json/value.ts';
import { builtIn } from '../resources/built-in.ts';
import type { Resource } from '../resources/resource.ts';

export const DEFINITION_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

export const definitions: Resource = builtIn({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
  defaults: (definition) => {
    const spec = objAt(definition, 'spec') ?? {};
    const names = objAt(spec, 'names') ?? {};
    const kind = textAt(names, 'kind') ?? '';
    definition.spec = {
      conversion: { strategy: 'None' },
      ...spec,
      names: { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names },
    };
  },
  initialStatus: (definition) => {
    const stored = objsAt(definition.spec, 'versions').filter((v) => v.storage === true);
    return {
      acceptedNames: { plural: '', kind: '' },
      conditions: [],
      storedVersions: stored.map((v) => textAt(v, 'name') ?? ''),
    };
  },
  strategy: {
    unconditionalUpdate: false,
    isNewGeneration: (next, old) => !equal(next.spec, old.spec),
  },
});
