type Strings = Readonly<Record<string, string>>;

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}
export interface LabelSelector {
  readonly matchLabels?: Strings;
  readonly matchExpressions?: readonly Requirement[];
}

/** Kubernetes' label selector; an empty one matches everything, an invalid one nothing. */
export function selectorMatches(selector: LabelSelector, labels: Strings): boolean {
  const labelOf = (key: string) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labelOf(key) === value);
  return equal && (selector.matchExpressions ?? []).every((r) => requirementMatches(r, labelOf(r.key)));
}

function requirementMatches({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return values.length > 0 && (value === undefined || !values.includes(value));
    case 'Exists':
      return values.length === 0 && value !== undefined;
    case 'DoesNotExist':
      return values.length === 0 && value === undefined;
    default:
      return false;
  }
}
