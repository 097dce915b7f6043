/**
 * Scenarios with a checkpoint whose state passes by itself: where something goes wrong in between, it may be over before anybody
 * looks. Disturbed runs of them are held to all but golden.
 */
export const passingStates: Readonly<Record<string, string>> = {
  'vm/crash-loop': 'the VM starts again some ten seconds after the failure that is recorded',
};
