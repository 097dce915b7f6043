import type { ApiObject } from '../objects.ts';
import { badRequest } from '../refusals.ts';
import type { Resource } from '../resources/resource.ts';

type FieldTest = (object: ApiObject) => boolean;

/** The one name that a selector leaves; `undefined`: it leaves more, or says nothing of names. */
export function onlyName(text: string): string | undefined {
  return /(?:^|,)metadata\.name==?([^,]*)/.exec(text)?.[1];
}

/** `metadata.name=x,spec.nodeName!=y`; empty: `undefined`, for everything. Throws `Refusal` for a field that can't be selected by. */
export function fieldSelector(text: string, resource: Resource): FieldTest | undefined {
  if (text === '') return undefined;
  const tests = text.split(',').map((part) => {
    const match = /^([^!=]+?)(==|=|!=)(.*)$/.exec(part);
    if (match === null) throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
    const [, field = '', operator, value] = match;
    const read = fieldOf(field, resource);
    return (object: ApiObject) => (read(object) === value) === (operator !== '!=');
  });
  return (object) => tests.every((test) => test(object));
}

function fieldOf(field: string, resource: Resource): (object: ApiObject) => string {
  if (field === 'metadata.name') return ({ metadata }) => metadata.name;
  if (field === 'metadata.namespace' && resource.namespaced) return ({ metadata }) => metadata.namespace ?? '';
  const read = resource.strategy.selectable[field];
  if (read === undefined)
    throw badRequest(
      resource.strategy.custom
        ? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
        : `field label not supported: ${field}`,
    );
  return read;
}
