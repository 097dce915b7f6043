/** Label selectors as query parameters write them, and as objects hold them. */
import { asText, objAt, objsAt, textAt, textsAt, type Value } from '../json/value.ts';
import { badRequest } from '../refusals.ts';

export type Labels = Readonly<Record<string, string>> | undefined;
export type LabelTest = (labels: Labels) => boolean;

/** `a=b,c!=d,e in (f,g),h notin (i),j,!k`; empty: `undefined`, for everything. */
export function labelSelector(text: string): LabelTest | undefined {
  if (text.trim() === '') return undefined;
  const tests = text.split(/,(?![^(]*\))/).map((part) => requirement(part.trim()));
  return (labels) => tests.every((test) => test(labels));
}

function requirement(text: string): LabelTest {
  const set = /^([^\s!=(),]+)\s+(in|notin)\s+\(([^()]*)\)$/.exec(text);
  if (set !== null) {
    const [, key = '', operator, values = ''] = set;
    return operatorTest(
      key,
      operator === 'in' ? 'In' : 'NotIn',
      values.split(',').map((v) => v.trim()),
    );
  }
  const comparison = /^([^\s!=(),]+)\s*(==|=|!=)\s*([^\s!=(),]*)$/.exec(text);
  if (comparison !== null) {
    const [, key = '', operator, value = ''] = comparison;
    return operatorTest(key, operator === '!=' ? 'NotIn' : 'In', [value]);
  }
  const presence = /^(!?)\s*([^\s!=(),]+)$/.exec(text);
  if (presence !== null) return operatorTest(presence[2] ?? '', presence[1] === '!' ? 'DoesNotExist' : 'Exists', []);
  throw badRequest(`unable to parse requirement: ${text}`);
}

function operatorTest(key: string, operator: string, values: readonly string[]): LabelTest {
  switch (operator) {
    case 'In':
      return (labels) => labels?.[key] !== undefined && values.includes(labels[key]);
    case 'NotIn':
      return (labels) => labels?.[key] === undefined || !values.includes(labels[key]);
    case 'Exists':
      return (labels) => labels?.[key] !== undefined;
    default:
      return (labels) => labels?.[key] === undefined;
  }
}

/** A selector in an object: `matchLabels` and `matchExpressions`. */
export function selectorTest(selector: Value | undefined): LabelTest {
  const tests = Object.entries(objAt(selector, 'matchLabels') ?? {}).map(([key, value]) =>
    operatorTest(key, 'In', [asText(value)]),
  );
  for (const e of objsAt(selector, 'matchExpressions'))
    tests.push(operatorTest(textAt(e, 'key') ?? '', textAt(e, 'operator') ?? '', textsAt(e, 'values')));
  return (labels) => tests.every((test) => test(labels));
}
