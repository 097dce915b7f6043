/**
 * Where faults can strike in a run, in the order in which the run passes them: of each place, what it is like. Places that are alike
 * have the same text.
 */
export interface Places {
  readonly deliveries: readonly string[];
  readonly api: readonly string[];
  readonly watchEvents: readonly string[];
  readonly table: readonly string[];
}

/** How many places that are alike are struck, each in a run of its own. */
const ALIKE = 2;

/** Chooses places to strike: of those that are alike the first few, in whatever runs it is asked about. */
export function fewOfEach(): (places: readonly string[]) => readonly number[] {
  const met = new Map<string, number>();
  return (places) =>
    places.flatMap((place, index) => {
      const before = met.get(place) ?? 0;
      met.set(place, before + 1);
      return before < ALIKE ? [index] : [];
    });
}

export function allOfThem(places: readonly string[]): readonly number[] {
  return places.map((_, index) => index);
}

/** What an API request is like: method, kind, whether it is about one object, subresource. */
export function requestLike(method: string, path: string): string {
  const [plain = '', query] = path.split('?');
  const [plural = '', name, subresource] = plain
    .replace(/^\/(api\/v1|apis\/[^/]+\/[^/]+)\/(namespaces\/[^/]+\/)?/, '')
    .split('/');
  const rest = [name === undefined ? [] : ['*'], subresource ?? []].flat();
  return `${method} ${[plural, ...rest].join('/')}${query === undefined ? '' : '?'}`;
}
