import { isObj, type Value } from '../json/value.ts';
import type { Normal } from './normal.ts';
import type { Sequence, Step } from './steps.ts';

export interface Difference {
  /** Which steps may be its cause: the one to which the answers differ; all, if the events do. */
  readonly steps: readonly Step[];
  /** Where in the answers. */
  readonly path: string;
  /** All a reader needs: the steps up to there, and what the two servers say. */
  readonly text: string;
}

/** Where two servers' answers, or event streams, first differ; `undefined`: nowhere. */
export function firstDifference(model: Normal, real: Normal, { steps }: Sequence): Difference | undefined {
  for (const [i, ofModel] of model.answers.entries()) {
    const ofReal = real.answers[i];
    const found = leaf(ofModel, (ofReal ?? null) as Value, '');
    if (found === undefined) continue;
    const last = model.askedBy[i] ?? steps.length;
    const text = [
      ...written(steps.slice(0, last + 1)),
      described(found),
      `  model: ${show(ofModel)}`,
      `  real:  ${show(ofReal)}`,
    ];
    return { steps: steps.slice(last, last + 1), path: found.path, text: text.join('\n') };
  }
  const found = leaf(model.events as Value, real.events as Value, '');
  if (found === undefined) return undefined;
  const text = [...written(steps), described(found), `  model: ${types(model)}`, `  real:  ${types(real)}`];
  return { steps, path: `events${found.path}`, text: text.join('\n') };
}

interface Leaf {
  readonly path: string;
  readonly model: Value | undefined;
  readonly real: Value | undefined;
}

function leaf(model: Value | undefined, real: Value | undefined, path: string): Leaf | undefined {
  if (Array.isArray(model) && Array.isArray(real)) {
    for (let i = 0; i < Math.max(model.length, real.length); i++) {
      const found = leaf(model[i], real[i], `${path}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isObj(model) && isObj(real)) {
    for (const name of new Set([...Object.keys(model), ...Object.keys(real)])) {
      const found = leaf(model[name], real[name], `${path}.${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return model === real ? undefined : { path, model, real };
}

function written(steps: readonly Step[]): string[] {
  return steps.map((step) => `  ${JSON.stringify(step)}`);
}

function described({ path, model, real }: Leaf): string {
  return `${path}\n  model: ${show(model)}\n  real:  ${show(real)}`;
}

function types({ events }: Normal): string {
  return JSON.stringify(events.map((e) => (Array.isArray(e) ? e.map((x) => (isObj(x) ? x.type : '?')) : e)));
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 1500);
}
