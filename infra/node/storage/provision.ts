import { hasStatus } from '../kube/client.ts';
import { involved } from '../kube/event-recorder.ts';
import { paths } from '../kube/paths.ts';
import type { Claim, PersistentVolume, StorageClass } from './objects.ts';
import { SELECTED_NODE } from './provisioner.ts';
import type { StepResult, Tools } from './tools.ts';
import { NoRoom } from './volume-files.ts';
import { isOfNode, volumeFor, volumeNameOf } from './volume-object.ts';

const PATCH_TEST_FAILED = 422;

/** Makes a claim's file and its volume, in this order; kube-controller-manager binds them. Events as provisioners write them. */
export async function provision(
  tools: Tools,
  claim: Claim,
  storageClass: StorageClass,
  bytes: number,
): Promise<StepResult> {
  const { events, files, nodeName, log } = tools;
  const { namespace, name } = claim.metadata;
  const volume = volumeNameOf(claim);
  const what = `claim "${namespace}/${name}"`;
  await events.tell(
    involved(claim),
    'Normal',
    'Provisioning',
    `External provisioner is provisioning volume for ${what}`,
  );
  try {
    await files.make(volume, bytes);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await tellFailure(tools, claim, message);
    // Another node may have the room: the scheduler is asked again, as other provisioners do.
    if (error instanceof NoRoom) await giveBackToScheduler(tools, claim);
    return 'failed';
  }
  const path = claim.spec.volumeMode === 'Block' ? files.diskOf(volume) : files.folderOf(volume);
  if (!(await announce(tools, volumeFor(claim, storageClass, nodeName, path)))) return 'done';
  await files.announced(volume);
  log(`volume ${volume}: ${bytes} bytes for ${what}`);
  await events.tell(involved(claim), 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${volume}`);
  return 'done';
}

export function tellFailure({ events }: Tools, claim: Claim, message: string): Promise<void> {
  const text = `failed to provision volume with StorageClass "${claim.spec.storageClassName}": ${message}`;
  return events.tell(involved(claim), 'Warning', 'ProvisioningFailed', text);
}

/** Whether the volume is this node's: where classes bind at once, the first of all nodes to write it has it. */
async function announce({ client, files, nodeName }: Tools, volume: PersistentVolume): Promise<boolean> {
  try {
    await client.post(paths.volumes, volume);
    return true;
  } catch (error) {
    if (!hasStatus(error, 409)) throw error;
  }
  const live = await client.get<PersistentVolume>(paths.volume(volume.metadata.name));
  if (isOfNode(live, nodeName)) return true;
  await files.remove(volume.metadata.name);
  return false;
}

async function giveBackToScheduler({ client, nodeName }: Tools, { metadata }: Claim): Promise<void> {
  if (metadata.annotations?.[SELECTED_NODE] === undefined) return;
  const path = `/metadata/annotations/${SELECTED_NODE.replaceAll('/', '~1')}`;
  await client
    .patch(paths.claim(metadata.namespace ?? '', metadata.name), 'json-patch', [
      { op: 'test', path, value: nodeName },
      { op: 'remove', path },
    ])
    .catch((error: unknown) => {
      if (!hasStatus(error, PATCH_TEST_FAILED) && !hasStatus(error, 404)) throw error;
    });
}
