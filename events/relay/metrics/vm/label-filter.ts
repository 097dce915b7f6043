/** Which labels of a VM become labels of `kubevirt_vm_labels`: ConfigMap `kubevirt-vm-labels-config` (runtime.md 12.7). */

export const LABELS_CONFIG_NAME = 'kubevirt-vm-labels-config';

export interface VmLabelFilter {
  readonly allows: (key: string) => boolean;
}

/** From the ConfigMap's data; `undefined`: there is none. */
export function vmLabelFilter(data: Readonly<Record<string, string>> | undefined): VmLabelFilter {
  const allowed = listed(data?.['allowlist'] ?? '*');
  // `*` has no meaning among the ignored.
  const ignored = listed(data?.['ignorelist'] ?? '');
  const all = allowed.has('*');
  return { allows: (key) => !ignored.has(key) && (all || allowed.has(key)) };
}

/** A label's key as a label name of Prometheus. */
export function labelNameOf(key: string): string {
  const name = key.replaceAll(/[^a-zA-Z0-9_]/g, '_');
  return `label_${/^\d/.test(name) ? '_' : ''}${name}`;
}

function listed(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );
}
