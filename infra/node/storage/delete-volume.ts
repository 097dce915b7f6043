import { hasStatus } from '../kube/client.ts';
import { involved } from '../kube/event-recorder.ts';
import { paths } from '../kube/paths.ts';
import type { PersistentVolume } from './objects.ts';
import { VOLUME_FINALIZER } from './provisioner.ts';
import type { StepResult, Tools } from './tools.ts';

/** Deletes the file of a released volume, and then the volume. */
export async function deleteVolume(tools: Tools, volume: PersistentVolume): Promise<StepResult> {
  const { client, files, events, log } = tools;
  const { name, uid } = volume.metadata;
  try {
    await files.remove(name);
  } catch (error) {
    await events.tell(involved(volume), 'Warning', 'VolumeFailedDelete', String(error));
    return 'failed';
  }
  await client.delete(paths.volume(name), { preconditions: { uid } }).catch(unlessGone);
  await letGo(tools, volume);
  log(`volume ${name}: deleted`);
  return 'done';
}

/** Takes the driver's finalizer off a volume. */
export async function letGo({ client }: Tools, { metadata: { name, uid } }: PersistentVolume): Promise<void> {
  const path = paths.volume(name);
  const live = await client.get<PersistentVolume>(path).catch(unlessGone);
  const finalizers = live?.metadata.finalizers ?? [];
  if (live?.metadata.uid !== uid || !finalizers.includes(VOLUME_FINALIZER)) return;
  await client
    .patch(path, 'json-patch', [
      { op: 'test', path: '/metadata/finalizers', value: finalizers },
      { op: 'replace', path: '/metadata/finalizers', value: finalizers.filter((f) => f !== VOLUME_FINALIZER) },
    ])
    .catch(unlessGone);
}

function unlessGone(error: unknown): undefined {
  if (!hasStatus(error, 404) && !hasStatus(error, 409)) throw error;
  return undefined;
}
