import { type Obj, objAt, objsAt, textAt } from '../../json/value.ts';
import { pullPolicy } from './pull-policy.ts';

/** 0644, as JSON writes it. */
const FILE_MODE = 420;

export function defaultVolume(volume: Obj): void {
  // A volume without a source is an empty folder.
  if (Object.keys(volume).every((member) => member === 'name')) volume.emptyDir = {};
  for (const source of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    const found = objAt(volume, source);
    if (found !== undefined) found.defaultMode ??= FILE_MODE;
  }
  downwardItems(objAt(volume, 'downwardAPI'));
  for (const source of objsAt(volume, 'projected', 'sources')) {
    downwardItems(objAt(source, 'downwardAPI'));
    const token = objAt(source, 'serviceAccountToken');
    if (token !== undefined) token.expirationSeconds ??= 3600;
  }
  const hostPath = objAt(volume, 'hostPath');
  if (hostPath !== undefined) hostPath.type ??= '';
  const image = objAt(volume, 'image');
  if (image !== undefined) image.pullPolicy ??= pullPolicy(textAt(image, 'reference') ?? '');
}

function downwardItems(source: Obj | undefined): void {
  for (const item of objsAt(source, 'items')) {
    const field = objAt(item, 'fieldRef');
    if (field !== undefined) field.apiVersion ??= 'v1';
  }
}
