/**
 * The controllers that each of virt-controller's flags `--<name>-controller-threads` speaks of (runtime.md 9). Their defaults are
 * the controllers' own.
 */
export const threadFlags: Readonly<Record<string, readonly string[]>> = {
  node: ['node'],
  vmi: ['vmi'],
  rs: ['replicaset'],
  pool: ['pool'],
  vm: ['vm'],
  migration: ['migration'],
  evacuation: ['evacuation'],
  'disruption-budget': ['disruption-budget'],
  snapshot: ['snapshot'],
  restore: ['restore'],
  export: ['export'],
  clone: ['clone'],
  backup: ['backup'],
};
