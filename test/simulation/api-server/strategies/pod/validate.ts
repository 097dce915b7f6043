/** The rules that a new pod must keep, as far as controllers or scenarios can break them. */
import { compare } from '../../../../../functions/core/quantity/arithmetic.ts';
import { parseQuantity } from '../../../../../functions/core/quantity/parse.ts';
import { asText, type Obj, objAt, objsAt, textAt } from '../../json/value.ts';
import type { ApiObject } from '../../objects.ts';
import type { StatusCause } from '../../ports.ts';
import { cause } from '../../refusals.ts';
import { isDnsLabel, LABEL_NAME, labelKeyFault, labelValueFault } from '../names.ts';
import { containersOf, initContainersOf } from './containers.ts';

export function validatePod(pod: ApiObject): StatusCause[] {
  const { spec } = pod;
  const found: StatusCause[] = [];
  const volumes = objsAt(spec, 'volumes').map((v) => textAt(v, 'name') ?? '');
  duplicates(volumes).forEach(([i, name]) => found.push(cause.duplicate(`spec.volumes[${i}].name`, name)));
  if (containersOf(pod).length === 0) found.push(cause.required('spec.containers'));
  containersOf(pod).forEach((c, i) => container(c, `spec.containers[${i}]`, volumes, found));
  initContainersOf(pod).forEach((c, i) => container(c, `spec.initContainers[${i}]`, volumes, found));
  const names = [...containersOf(pod), ...initContainersOf(pod)].map((c) => textAt(c, 'name') ?? '');
  const ordinary = containersOf(pod).length;
  for (const [i, name] of duplicates(names))
    found.push(
      cause.duplicate(i < ordinary ? `spec.containers[${i}].name` : `spec.initContainers[${i - ordinary}].name`, name),
    );
  nodeSelector(spec, found);
  restartPolicy(spec, found);
  hostname(spec, 'hostname', found);
  hostname(spec, 'subdomain', found);
  return found;
}

function container(c: Obj, path: string, volumes: readonly string[], found: StatusCause[]): void {
  const name = textAt(c, 'name') ?? '';
  if (name === '') found.push(cause.required(`${path}.name`));
  else if (!isDnsLabel(name)) found.push(cause.invalid(`${path}.name`, name, LABEL_NAME));
  if ((textAt(c, 'image') ?? '') === '') found.push(cause.required(`${path}.image`));
  objsAt(c, 'volumeMounts').forEach((m, i) => {
    if (!volumes.includes(textAt(m, 'name') ?? ''))
      found.push(cause.notFound(`${path}.volumeMounts[${i}].name`, m.name));
  });
  objsAt(c, 'volumeDevices').forEach((m, i) => {
    if (!volumes.includes(textAt(m, 'name') ?? ''))
      found.push(cause.notFound(`${path}.volumeDevices[${i}].name`, m.name));
  });
  requestsWithinLimits(c, `${path}.resources`, found);
}

function requestsWithinLimits(c: Obj, path: string, found: StatusCause[]): void {
  const limits = objAt(c, 'resources', 'limits') ?? {};
  const requests = objAt(c, 'resources', 'requests') ?? {};
  for (const [resource, value] of Object.entries(requests).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const request = parseQuantity(asText(value));
    const limit = limits[resource] === undefined ? undefined : parseQuantity(asText(limits[resource]));
    if (request === undefined || limit === undefined || compare(request, limit) <= 0) continue;
    const detail = `must be less than or equal to ${resource} limit of ${asText(limits[resource])}`;
    found.push(cause.invalid(`${path}.requests`, value, detail));
  }
}

function nodeSelector(spec: Obj | undefined, found: StatusCause[]): void {
  for (const [key, value] of Object.entries(objAt(spec, 'nodeSelector') ?? {})) {
    const keyFault = labelKeyFault(key);
    if (keyFault !== undefined) found.push(cause.invalid('spec.nodeSelector', key, keyFault));
    const valueFault = labelValueFault(asText(value));
    if (valueFault !== undefined) found.push(cause.invalid('spec.nodeSelector', value, valueFault));
  }
}

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];

function restartPolicy(spec: Obj | undefined, found: StatusCause[]): void {
  const policy = textAt(spec, 'restartPolicy') ?? '';
  if (!RESTART_POLICIES.includes(policy))
    found.push(cause.notSupported('spec.restartPolicy', policy, RESTART_POLICIES));
}

function hostname(spec: Obj | undefined, field: string, found: StatusCause[]): void {
  const name = textAt(spec, field);
  if (name !== undefined && !isDnsLabel(name)) found.push(cause.invalid(`spec.${field}`, name, LABEL_NAME));
}

/** Index and text of each item that an earlier one equals. */
function duplicates(texts: readonly string[]): [number, string][] {
  return [...texts.entries()].filter(([i, text]) => text !== '' && texts.indexOf(text) < i);
}
