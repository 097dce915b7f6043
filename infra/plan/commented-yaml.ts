/** A pod as YAML with the reasons beside what they are about. */
import { Document, isMap, isNode, isPair, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import type { PlannedPod } from './planned-pod.ts';

/** Up to this length a reason stands behind its value. */
const SHORT = 100;

export function commentedYaml({ of, pod, reasons, filledIn, assumed }: PlannedPod): string {
  const document = new Document(pod, { aliasDuplicateObjects: false });
  for (const [path, because] of joined(reasons)) comment(document.contents, path, because);
  document.commentBefore = lines([
    `Pod of ${of}`,
    ...filledIn.map((f) => `filled in by admission: ${f}`),
    ...assumed.map((a) => `assumed: ${a}`),
  ]);
  return document.toString({ lineWidth: 0 });
}

/** Reasons for the same place belong together. */
function joined(reasons: PlannedPod['reasons']): readonly (readonly [readonly string[], readonly string[]])[] {
  const byPlace = Map.groupBy(reasons, (r) => r.path.join('\n'));
  return [...byPlace.values()].map((of) => [of[0]?.path ?? [], of.flatMap((r) => r.because)]);
}

/** A place that the pod does not have stays without comment: an empty member is not written. */
function comment(root: unknown, path: readonly string[], because: readonly string[]): void {
  const [first, ...rest] = path;
  if (first === undefined) return;
  const found = isMap(root) ? memberOf(root, first) : isSeq(root) ? entryOf(root.items, first) : undefined;
  if (found === undefined) return;
  if (rest.length > 0) comment(isPair(found) ? found.value : found, rest, because);
  else if (isPair(found)) commentPair(found, because);
  else found.commentBefore = lines(because);
}

function commentPair(pair: Pair, because: readonly string[]): void {
  const [only = '', ...more] = because;
  if (more.length === 0 && only.length <= SHORT && isScalar(pair.value)) pair.value.comment = ` ${only}`;
  else if (isNode(pair.key)) pair.key.commentBefore = lines(because);
}

function memberOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === name);
}

function entryOf(items: readonly unknown[], name: string): Node | undefined {
  return items.find((item): item is YAMLMap => isMap(item) && item.get('name') === name);
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => ` ${text}`).join('\n');
}
