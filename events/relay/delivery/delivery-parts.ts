import type { Action, ActionResult } from '../../../functions/core/action.ts';
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import type { Controller } from '../../../functions/core/controller.ts';
import type { Gatekeeper } from '../allow-list/gatekeeper.ts';
import type { Applies } from '../apply/apply.ts';
import type { WritePermit } from '../apply/write-permit.ts';
import type { Caches } from '../cache/caches.ts';
import type { KubeApi } from '../kube/api.ts';
import type { Ports } from '../ports.ts';
import type { Reflectors } from '../reflector/reflectors.ts';
import type { FunctionClient } from './function-client.ts';

/** What deliveries of all controllers share. */
export interface DeliveryParts {
  readonly caches: Caches;
  readonly reflectors: Reflectors;
  readonly client: Pick<FunctionClient, 'reconcile'>;
  readonly applier: Applies;
  readonly gatekeeperOf: (controller: Controller) => Gatekeeper;
  readonly api: KubeApi;
  readonly ports: Ports;
  readonly permit: WritePermit;
  readonly cluster: string;
  /** `undefined` while no KubeVirt object exists: keys wait. */
  readonly configuration: () => ClusterConfiguration | undefined;
  readonly token: () => number;
  /** The function says that the token is not the lease's. */
  readonly onStaleToken: () => void;
  /** Is told of each snapshot that exceeds the cap by itself. */
  readonly onTooLarge?: (controller: string) => void;
  /** Is told what became of an answer's actions. */
  readonly onApplied?: (
    controller: string,
    key: string,
    actions: readonly Action[],
    results: readonly ActionResult[],
  ) => void;
}
