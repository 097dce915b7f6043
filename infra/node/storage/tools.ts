import type { KubeClient } from '../kube/client.ts';
import type { EventRecorder } from '../kube/event-recorder.ts';
import type { VolumeFiles } from './volume-files.ts';

/** What the driver's steps work with. */
export interface Tools {
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly files: VolumeFiles;
  readonly events: EventRecorder;
  readonly log: (line: string) => void;
}

/** How a step ended: `failed` is tried again after growing pauses. */
export type StepResult = 'done' | 'failed';
