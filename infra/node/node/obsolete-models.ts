const NAMES = [
  '486',
  'pentium',
  'pentium2',
  'pentium3',
  'pentiumpro',
  'coreduo',
  'n270',
  'core2duo',
  'Conroe',
  'athlon',
  'phenom',
  'qemu64',
  'qemu32',
  'kvm64',
  'kvm32',
  'Opteron_G1',
  'Opteron_G2',
];

/** CPU models that get no label where the KubeVirt object names none (node.md C4). */
export const DEFAULT_OBSOLETE_MODELS: ReadonlySet<string> = new Set(NAMES.flatMap((name) => [name, `${name}-v1`]));
