/** Steps of a sequence, as data: what depends on a server's own answers stands in them as words. */
import type { Obj, Value } from '../json/value.ts';

/** Whose version or uid a request brings: the present one, an earlier one, none, or one that never was. */
export type Whose = 'current' | 'old' | 'none' | 'bogus';

export interface Aim {
  readonly plural: string;
  readonly name: string;
}

export type Step =
  | {
      readonly step: 'create';
      readonly aim: Aim;
      readonly generate: boolean;
      readonly metadata: Obj;
      readonly body: Obj;
    }
  | {
      readonly step: 'put';
      readonly aim: Aim;
      readonly part: '' | 'status';
      readonly changes: readonly Obj[];
      readonly version: Whose;
      readonly uid: Whose;
    }
  | {
      readonly step: 'patch';
      readonly aim: Aim;
      readonly part: '' | 'status';
      readonly type: 'merge' | 'strategic-merge';
      readonly changes: readonly Obj[];
      readonly version: Whose;
      readonly uid: Whose;
    }
  | {
      readonly step: 'json-patch';
      readonly aim: Aim;
      readonly part: '' | 'status';
      readonly operations: readonly Obj[];
    }
  | {
      readonly step: 'delete';
      readonly aim: Aim;
      readonly options: Obj;
      readonly query: string;
      readonly version: Whose;
      readonly uid: Whose;
    }
  | { readonly step: 'delete-all'; readonly plural: string; readonly query: string }
  | { readonly step: 'get'; readonly aim: Aim; readonly part: '' | 'status' }
  /** `limit`: pages are followed to the end. */
  | { readonly step: 'list'; readonly plural: string; readonly query: string; readonly limit: number }
  | { readonly step: 'bind'; readonly aim: Aim; readonly node: string }
  /** Anything; `{ns}` stands for the namespace. */
  | {
      readonly step: 'raw';
      readonly method: string;
      readonly path: string;
      readonly body?: Value;
      readonly contentType?: string;
    };

/** A watch beside the steps, opened before them, or after them from the version of the first object created. */
export interface Watching {
  readonly plural: string;
  readonly query: string;
  readonly when: 'before' | 'after';
}

export interface Sequence {
  readonly steps: readonly Step[];
  readonly watches: readonly Watching[];
}
