import { AllowList } from '../../../events/relay/allow-list/allow-list.ts';
import { KnownObjects } from '../../../events/relay/allow-list/known-objects.ts';
import { declaredControllers } from '../../../functions/controllers.ts';
import type { Action } from '../../../functions/core/action.ts';
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import { anyController, type Controller } from '../../../functions/core/controller.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';

interface Shown {
  readonly primary: KubeObject | undefined;
  readonly reads: Readonly<Record<string, readonly KubeObject[] | KubeObject | undefined>>;
}

/** Fails for an action that the relay would refuse: what a controller declares as its writes is all that it writes. */
export function requireAllowed(
  // oxlint-disable-next-line typescript/no-explicit-any -- any controller will do
  controller: Controller<any, any>,
  snapshot: unknown,
  actions: readonly Action[],
  configuration: ClusterConfiguration,
): void {
  const { primary, reads } = snapshot as Shown;
  const found = Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, read ?? null]));
  const known = new KnownObjects({ primary: primary ?? null, reads: found });
  const writes = declaredControllers.find((d) => d.controller.name === controller.name)?.writes;
  const allowList = new AllowList(anyController(controller), writes);
  for (const action of actions) {
    const verdict = allowList.judge(action, known, configuration);
    if (verdict.type === 'refused') throw new Error(`${action.id} (${verdict.rule}): ${verdict.message}`);
    if (action.verb === 'create') known.add(action.object);
  }
}
