import type { Kind } from '../../../../functions/core/kind.ts';
import type { KubeObject } from '../../../../functions/core/objects.ts';
import { KindCache } from '../../cache/kind-cache.ts';
import type { KubeApi } from '../../kube/api.ts';
import type { Ports } from '../../ports.ts';
import { Reflector } from '../../reflector/reflector.ts';
import { LABELS_CONFIG_NAME, type VmLabelFilter, vmLabelFilter } from './label-filter.ts';

interface ConfigMapObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const ConfigMap: Kind<ConfigMapObject> = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  plural: 'configmaps',
  namespaced: true,
  statusSubresource: false,
};

/** Follows the one ConfigMap that says which labels of VMs are told. No controller reads it, so it is in no snapshot. */
export class VmLabelsConfig {
  readonly #reflector: Reflector;
  #filter = vmLabelFilter(undefined);

  /** `namespace`: KubeVirt's. */
  constructor(api: KubeApi, ports: Ports, namespace: string) {
    const cache = new KindCache(ConfigMap);
    cache.onChange(({ new: now }) => {
      this.#filter = vmLabelFilter((now as ConfigMapObject | undefined)?.data);
    });
    const selector = `fieldSelector=${encodeURIComponent(`metadata.name=${LABELS_CONFIG_NAME}`)}`;
    this.#reflector = new Reflector(cache, api, ports, { namespace, selector });
  }

  get filter(): VmLabelFilter {
    return this.#filter;
  }

  start(): void {
    this.#reflector.start(0);
  }

  stop(): void {
    this.#reflector.stop();
  }
}
