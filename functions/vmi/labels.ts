import type { KubeObject } from '../core/objects.ts';

export function setLabel(object: KubeObject, key: string, value: string): void {
  object.metadata.labels = { ...object.metadata.labels, [key]: value };
}

export function removeLabel(object: KubeObject, key: string): void {
  if (object.metadata.labels?.[key] === undefined) return;
  const { [key]: _, ...others } = object.metadata.labels;
  object.metadata.labels = others;
}
