import { Gatekeeper } from '../../../../events/relay/allow-list/gatekeeper.ts';
import { Refusals } from '../../../../events/relay/allow-list/refusals.ts';
import type { ActionGate } from '../../../../events/relay/apply/action-gate.ts';
import type { Log } from '../../../../events/relay/ports.ts';
import { Sealer } from '../../../../events/relay/sealing/sealer.ts';
import type { Controller } from '../../../../functions/core/controller.ts';
import type { Writes } from '../../../../functions/core/writes.ts';

export const SEALING_KEY = 'a key of the cluster, 32 characters or more';

/** Gatekeepers of controllers that may write what is listed. */
export function gatekeepersFor(writes: readonly Writes[], log: Log, refusals = new Refusals()) {
  const sealer = new Sealer(SEALING_KEY);
  return (controller: Controller): Gatekeeper =>
    new Gatekeeper(
      controller,
      writes.find((w) => w.controller === controller.name),
      sealer,
      refusals,
      log,
    );
}

/** Lets everything pass as it is, for tests of what comes behind it. */
export const openGate: ActionGate = { admit: (action) => ({ type: 'admitted', action }), redact: (message) => message };
