import type { Controller } from '../core/controller.ts';
import type { Reconcile } from '../core/reconcile.ts';
import { defineFunction, type FunctionEntry } from './function-entry.ts';
import { createReconcileApp } from './reconcile-app.ts';

/**
 * A controller as a function; the whole of its `main.ts`:
 *
 * ```ts
 * export const { path, app, handler } = serve({ controller: vm, reconcile }, import.meta.main);
 * ```
 */
// oxlint-disable-next-line typescript/no-explicit-any -- any controller will do
export function serve<C extends Controller<any, any>, S>(
  definition: { readonly controller: C; readonly reconcile: Reconcile<C, S> },
  isMain: boolean,
): FunctionEntry {
  return defineFunction(
    `reconcile/${definition.controller.name}`,
    ({ settings, ...runtime }) =>
      createReconcileApp({ ...definition, ...runtime, keys: settings.keys, backOff: settings.backOff }),
    isMain,
  );
}
