import fc from 'fast-check';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { type Member, membersOf, parseMember } from '../../../functions/core/written-form/members.ts';
import { UID } from './fixture.ts';

/**
 * VMIs made from the table of types: members are there or not, values fit their type and are plausible (a known name, a
 * quantity, a policy), or fit and are not (negative, empty, huge, no quantity), or do not fit at all.
 */
export const NAMES = ['a', 'b', 'default', 'kernel-boot-volume'];
const TEXTS = [
  '',
  'require',
  'forbid',
  'host-model',
  'arm64',
  's390x',
  'i@sha256:0',
  'supplementalPool',
  'ns/n',
  '../x',
  '[{}]',
];
const QUANTITIES = ['1', '0', '100m', '1Gi', '2Mi', '-1Gi', '1e3', '5E', '0.0000000001', 7];
const NUMBERS = [0, 1, 2, 7, -1, 2 ** 31, Number.MAX_SAFE_INTEGER];
const MISFITS: readonly unknown[] = [null, 1.5, 'x', {}, [], true, Number.NaN];
const KEYS = [
  'cpu',
  'memory',
  'kubernetes.io/arch',
  'kubevirt.io/nonroot',
  'hooks.kubevirt.io/hookSidecars',
  'logVerbosity',
  '__proto__',
];

export interface Odds {
  /** Per thousand values: one that does not fit its type. */
  readonly misfit: number;
  /** Per hundred members: one that is there. */
  readonly presence: number;
}

function valueOf(member: Member, odds: Odds, depth: number): fc.Arbitrary<unknown> {
  const fitting = fittingValueOf(member, odds, depth);
  if (odds.misfit === 0) return fitting;
  return fc.oneof(
    { weight: 1000 - odds.misfit, arbitrary: fitting },
    { weight: odds.misfit, arbitrary: fc.constantFrom(...MISFITS) },
  );
}

function fittingValueOf(member: Member, odds: Odds, depth: number): fc.Arbitrary<unknown> {
  switch (member.shape) {
    case 'string':
      return fc.constantFrom(...NAMES, ...TEXTS);
    case 'number':
      return fc.constantFrom(...NUMBERS);
    case 'boolean':
      return fc.boolean();
    case 'quantity':
      return fc.constantFrom(...QUANTITIES);
    case 'time':
      return fc.constantFrom('2026-08-01T00:00:00Z', null);
    case 'raw':
      return fc.constantFrom(80, 'http');
    case 'list':
      return fc.array(valueOf(member.of, odds, depth), { maxLength: 3 });
    case 'map':
      return fc
        .array(fc.tuple(fc.constantFrom(...KEYS), valueOf(member.of, odds, depth)), { maxLength: 3 })
        .map((entries) => Object.fromEntries(entries));
    case 'object':
      return objectOf(member, odds, depth);
  }
}

function objectOf(member: Member & { shape: 'object' }, odds: Odds, depth: number): fc.Arbitrary<unknown> {
  const members = [...membersOf(member.type)].map(([name, m]) => {
    const required = m.presence === 'always' && (m.shape === 'string' || m.shape === 'number' || m.shape === 'boolean');
    const there = required ? 100 : depth > 5 ? Math.min(odds.presence, 15) : odds.presence;
    const value = valueOf(m, odds, depth + 1);
    return fc
      .nat(99)
      .chain((draw) => (draw >= 100 - there ? value : fc.constant(undefined)))
      .map((v) => [name, v] as const);
  });
  return fc.tuple(...members).map((entries) => Object.fromEntries(entries.filter(([, v]) => v !== undefined)));
}

/** Of VMIs, whatever else they are, a controller knows name, namespace and uid. */
export function anyVmi(odds: Odds): fc.Arbitrary<VirtualMachineInstance> {
  const identity = { name: 'v', namespace: 'ns', uid: UID };
  return fc
    .record({
      metadata: fittingValueOf(parseMember('ObjectMeta'), odds, 0),
      spec: valueOf(parseMember('VirtualMachineInstanceSpec'), odds, 0),
      status: valueOf(parseMember('VirtualMachineInstanceStatus'), odds, 0),
    })
    .map(({ metadata, spec, status }) => {
      const named = { ...(metadata as object), ...identity };
      const object = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata: named, spec, status };
      return object as unknown as VirtualMachineInstance;
    });
}
