import { declaredControllers } from '../../../functions/controllers.ts';
import type { AnyReconcile } from '../../../functions/http/pass.ts';
import type { SimulatedController } from '../world/function-host.ts';

/** All controllers that there are, with what decides for them. */
export async function loadControllers(): Promise<readonly SimulatedController[]> {
  return Promise.all(
    declaredControllers.map(async ({ controller }) => {
      const module = (await import(`../../../functions/${controller.name}/reconcile.ts`)) as {
        reconcile: AnyReconcile;
      };
      return { controller, reconcile: module.reconcile };
    }),
  );
}
