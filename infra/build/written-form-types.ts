/**
 * The types of the kinds that are written whole, as far as the written form (runtime.md 11.1) needs them: from the declarations
 * of KubeVirt's OpenAPI and from `written-form-facts.ts`.
 */
import type { Declarations, Declared } from './openapi-declarations.ts';
import * as facts from './written-form-facts.ts';

/** The cluster-wide kinds of instance types and preferences are of the same types as the namespaced ones. */
const roots = [
  'V1VirtualMachine',
  'V1VirtualMachineInstance',
  'V1beta1VirtualMachineInstancetype',
  'V1beta1VirtualMachinePreference',
];
const specRoots = [
  'V1VirtualMachineSpec',
  'V1VirtualMachineInstanceSpec',
  'V1beta1VirtualMachineInstancetypeSpec',
  'V1beta1VirtualMachinePreferenceSpec',
  'K8sIoApimachineryPkgApisMetaV1ObjectMeta',
];

/** Type name -> its members with their codes, in the syntax of `functions/core/written-form/members.ts`. */
export function writtenFormTypes(declarations: Declarations): Readonly<Record<string, string>> {
  const reached = reachableFrom(declarations, roots);
  const ofSpecs = reachableFrom(declarations, specRoots);
  const names = shortNames(reached);
  checkFacts(declarations, names);

  const declared = [...reached].flatMap((type) => {
    const members = declarations.get(type) ?? [];
    return members.flatMap((d) => entryOf(d, { type: nameOf(names, type), inSpec: ofSpecs.has(type), names }));
  });
  const entries = [...declared, ...facts.undeclared.map(([type, member, code]) => ({ type, member, code }))];
  return Object.fromEntries(
    [...Map.groupBy(entries, (e) => e.type)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, of]) => [
        type,
        of
          .map((e) => `${e.member}:${e.code}`)
          .toSorted()
          .join(' '),
      ]),
  );
}

interface Place {
  /** Short name of the type around the member. */
  readonly type: string;
  readonly inSpec: boolean;
  readonly names: ReadonlyMap<string, string>;
}

interface Entry {
  readonly type: string;
  readonly member: string;
  readonly code: string;
}

function entryOf(declared: Declared, place: Place): readonly Entry[] {
  const { type } = place;
  if (facts.withdrawn.includes(`${type}.${declared.name}`)) return [];
  const member = facts.renamed[`${type}.${declared.name}`] ?? declared.name;
  return [{ type, member, code: codeOf(`${type}.${member}`, member, declared, place) }];
}

function codeOf(path: string, member: string, declared: Declared, place: Place): string {
  if (facts.leftAsTheyAre.includes(path)) return 'x';
  const { list, map, base } = shapeOf(declared.type);
  const held = map && facts.quantityMaps.includes(member) ? 'q' : heldCode(declared, base, place.names);
  if (list || map) return `${list ? '[]' : '{}'}${held}`;
  return held + markOf(path, held, declared.optional, place);
}

function markOf(path: string, held: string, optional: boolean, { type, inSpec }: Place): '' | '?' | '!' {
  if (facts.heldByValue.includes(path) || facts.writtenAlthoughZero.includes(path)) return '!';
  switch (held) {
    case 's':
      if (facts.nullableStrings.includes(path)) return '?';
      return optional ? '' : '!';
    case 'n':
    case 'b': {
      if (!optional) return '!';
      const { plainInSpecs, nullableInStatuses: nullable } = facts;
      const keepsZero = inSpec
        ? !plainInSpecs.includes(path)
        : nullable.includes(path) || nullable.includes(`${type}.*`);
      return keepsZero ? '?' : '';
    }
    default:
      return '';
  }
}

function heldCode({ holds }: Declared, base: string, names: ReadonlyMap<string, string>): string {
  if (holds !== undefined) return holds === 'quantity' ? 'q' : 't';
  if (base === 'string' || base.endsWith('Enum')) return 's';
  if (base === 'number') return 'n';
  if (base === 'boolean') return 'b';
  return base === 'object' ? 'o' : nameOf(names, base);
}

function shapeOf(type: string): { list: boolean; map: boolean; base: string } {
  const list = /^Array<(\w+)>$/.exec(type)?.[1];
  const map = /^\{ \[key: string\]: (\w+); \}$/.exec(type)?.[1];
  return { list: list !== undefined, map: map !== undefined, base: list ?? map ?? type };
}

function reachableFrom(declarations: Declarations, from: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...from];
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    // Managed fields are passed on unread.
    if (found.has(type) || type.endsWith('ManagedFieldsEntry')) continue;
    found.add(type);
    for (const d of declarations.get(type) ?? []) {
      const { base } = shapeOf(d.type);
      if (declarations.has(base)) open.push(base);
    }
  }
  return found;
}

/** Names without their prefix; where several groups have the same name, Kubernetes' gets `Core`, CDI's `Cdi`. */
function shortNames(of: ReadonlySet<string>): ReadonlyMap<string, string> {
  const short = (type: string) =>
    type.replace(/^(K8sIoApiCoreV1|K8sIoApimachineryPkgApisMetaV1|V1beta1|V1alpha1|V1)/, '');
  const sharing = Map.groupBy(of, short);
  const name = (type: string) => {
    const group = type.startsWith('K8sIo') ? 'Core' : type.startsWith('V1beta1') ? 'Cdi' : '';
    return (sharing.get(short(type))?.length ?? 0) > 1 ? group + short(type) : short(type);
  };
  const names = new Map([...of].map((type) => [type, name(type)]));
  const twice = [...Map.groupBy(names, ([, n]) => n).values()].filter((same) => same.length > 1);
  if (twice.length > 0) throw new Error(`types with the same short name: ${twice.flat(2).join(', ')}`);
  return names;
}

function nameOf(names: ReadonlyMap<string, string>, type: string): string {
  const name = names.get(type);
  if (name === undefined) throw new Error(`no declaration of ${type}`);
  return name;
}

/** A fact about a member that is not there is a spelling mistake, or out of date. */
function checkFacts(declarations: Declarations, names: ReadonlyMap<string, string>): void {
  const declared = [...names].flatMap(([type, name]) => (declarations.get(type) ?? []).map((d) => `${name}.${d.name}`));
  const members = new Set([
    ...declared,
    ...Object.entries(facts.renamed).map(([path, member]) => `${path.slice(0, path.indexOf('.'))}.${member}`),
    ...[...names.values()].map((name) => `${name}.*`),
  ]);
  const stated = [
    ...Object.keys(facts.renamed),
    ...facts.withdrawn,
    ...facts.plainInSpecs,
    ...facts.nullableInStatuses,
    ...facts.nullableStrings,
    ...facts.heldByValue,
    ...facts.writtenAlthoughZero,
    ...facts.leftAsTheyAre,
  ];
  const wrong = stated.filter((path) => !members.has(path));
  if (wrong.length > 0) throw new Error(`facts about unknown members: ${wrong.join(', ')}`);
}
