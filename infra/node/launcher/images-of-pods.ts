import { join } from 'node:path';
import type { Pod } from '../../../functions/core/objects.ts';
import type { BackOff } from '../images/back-off.ts';
import { ImageSource, type ReadyImage } from '../images/image-source.ts';
import { PodImages } from '../images/pod-images.ts';
import { readPullSecrets } from '../images/pull-secrets.ts';
import type { KubeClient } from '../kube/client.ts';
import type { ImagesState } from './decision.ts';
import type { GuestRecord } from './guest-record.ts';
import { neededImages } from './needed-images.ts';
import type { ImageIds } from './pod-status.ts';

const SILENCE_MS = 60_000;

export interface ImagesOfPodsOptions {
  readonly client: KubeClient;
  readonly dataFolder: string;
  readonly backOff?: BackOff;
  readonly log: (line: string) => void;
}

export interface FoundImages {
  readonly state: ImagesState;
  /** By volume; all of them when the state is `ready`. */
  readonly images: GuestRecord['images'];
}

/** The images that launcher pods need, brought to the node with each pod's own credentials. */
export class ImagesOfPods {
  readonly #client: KubeClient;
  readonly #images: PodImages;

  constructor({ client, dataFolder, backOff, log }: ImagesOfPodsOptions) {
    this.#client = client;
    const imageFolder = join(dataFolder, 'images');
    const source = new ImageSource({
      imageFolder,
      cacheFolder: join(dataFolder, 'image-cache'),
      silenceMs: SILENCE_MS,
    });
    this.#images = new PodImages(source, { backOff, log });
  }

  /** How far a pod's images are; what is missing is brought in the background. `onChange` is called when that has an end. */
  ask(pod: Pod, onChange: () => void): FoundImages {
    const secretNames = (pod.spec.imagePullSecrets ?? []).flatMap(({ name }) => (name === undefined ? [] : [name]));
    const secrets = () => readPullSecrets(this.#client, pod.metadata.namespace ?? '', secretNames);
    const images: Record<string, ReadyImage> = {};
    let state: ImagesState = { type: 'ready' };
    for (const needed of neededImages(pod)) {
      const found = this.#images.ask(pod.metadata.uid ?? '', needed, secrets, onChange);
      if (found.type === 'ready') images[needed.volume] = found.image;
      else if (found.type === 'failed' && state.type !== 'failed') {
        state = { ...found, container: needed.containers[0] ?? '' };
      } else if (state.type === 'ready') state = { type: 'pulling' };
    }
    return { state, images };
  }

  /** Only these pods still need images. */
  retain(podUids: ReadonlySet<string>): void {
    this.#images.retain(podUids);
  }

  stop(): Promise<void> {
    return this.#images.stop();
  }
}

export function imageIdsOf(pod: Pod, images: GuestRecord['images']): ImageIds {
  const pairs = neededImages(pod).flatMap(({ volume, containers }) => {
    const id = images[volume]?.imageId;
    return id === undefined ? [] : containers.map((container) => [container, id] as const);
  });
  return Object.fromEntries(pairs);
}
