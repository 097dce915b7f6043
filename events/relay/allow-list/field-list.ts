import { escapeSegment } from '../../../functions/core/json-patch.ts';
import type { Path } from './changed-paths.ts';

/** The fields of a write rule. */
export class FieldList {
  readonly #fields: readonly Path[];

  /** JSON pointers; a segment that ends in `*` stands for any one that begins with what stands before it. */
  constructor(pointers: readonly string[]) {
    this.#fields = pointers.map(pathOf);
  }

  /** Whether a field is the path, or lies above it. */
  covers(path: Path): boolean {
    return this.#fields.some(
      (field) => field.length <= path.length && field.every((segment, i) => matches(segment, path[i] ?? '')),
    );
  }
}

function matches(pattern: string, segment: string): boolean {
  return pattern.endsWith('*') ? segment.startsWith(pattern.slice(0, -1)) : segment === pattern;
}

export function pathOf(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function pointerOf(path: Path): string {
  return path.map((segment) => `/${escapeSegment(segment)}`).join('');
}
