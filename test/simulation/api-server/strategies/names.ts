/** Rules that names, labels and namespaces follow, with what the server says of those that do not. */
import type { Strategy } from '../resources/resource.ts';

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

export const LABEL_NAME =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_NAME =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const QUALIFIED_NAME =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const LABEL_VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

export function isDnsLabel(name: string): boolean {
  return name.length <= 63 && LABEL.test(name);
}

/** What is wrong with an object's name; `undefined`: nothing. */
export function nameFault(name: string, rule: Strategy['nameRule']): string | undefined {
  switch (rule) {
    case 'label':
    case 'service':
      if (name.length > 63) return 'must be no more than 63 bytes';
      return LABEL.test(name) ? undefined : LABEL_NAME;
    case 'path-segment':
      return /[/%]/.test(name) || name === '.' || name === '..' ? `may not contain '/'` : undefined;
    case 'subdomain':
      if (name.length > 253) return 'must be no more than 253 bytes';
      return SUBDOMAIN.test(name) ? undefined : SUBDOMAIN_NAME;
  }
}

export function labelKeyFault(key: string): string | undefined {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  if (prefix !== undefined && !SUBDOMAIN.test(prefix)) return `prefix part ${SUBDOMAIN_NAME}`;
  if (name.length > 63) return 'name part must be no more than 63 bytes';
  return QUALIFIED.test(name) ? undefined : QUALIFIED_NAME;
}

export function labelValueFault(value: string): string | undefined {
  if (value.length > 63) return 'must be no more than 63 bytes';
  return LABEL_VALUE.test(value) ? undefined : LABEL_VALUE_RULE;
}
