import { type BackOff, IMAGE_BACK_OFF, pauseMs } from './back-off.ts';
import { type ImageSource, NeverPulled, type ReadyImage } from './image-source.ts';
import { PullError } from './pull-error.ts';
import type { PullSecrets } from './pull-secrets.ts';
import type { WantedImage } from './wanted-image.ts';

/** Reasons in a kubelet's words. */
export type ImageProblem = 'ErrImagePull' | 'ImagePullBackOff' | 'ErrImageNeverPull' | 'InvalidImageName';

export type ImageState =
  | { readonly type: 'ready'; readonly image: ReadyImage }
  | { readonly type: 'pulling' }
  | { readonly type: 'failed'; readonly reason: ImageProblem; readonly message: string };

interface Attempts {
  failures: number;
  /** Of the last failure; absent before the first. */
  failed?: { readonly reason: ImageProblem; readonly message: string; readonly atMs: number };
  ready?: ReadyImage;
  underWay: boolean;
}

/** `ErrImagePull` is to be seen that long before it becomes `ImagePullBackOff`. */
const FRESH_MS = 2000;

export interface PodImagesOptions {
  readonly backOff?: BackOff;
  readonly nowMs?: () => number;
  readonly log: (line: string) => void;
}

/**
 * Images for pods. Asked for one, it says how far that is, and sees to it meanwhile: pulls in the background, and again after
 * growing pauses, as a kubelet does for each pod and image.
 */
export class PodImages {
  readonly #source: ImageSource;
  readonly #backOff: BackOff;
  readonly #nowMs: () => number;
  readonly #log: (line: string) => void;
  readonly #attempts = new Map<string, Attempts>();
  readonly #pulls = new Set<Promise<void>>();
  readonly #end = new AbortController();

  constructor(source: ImageSource, { backOff = IMAGE_BACK_OFF, nowMs = Date.now, log }: PodImagesOptions) {
    this.#source = source;
    this.#backOff = backOff;
    this.#nowMs = nowMs;
    this.#log = log;
  }

  /** `onChange` is called when a pull that this call has begun ends. */
  ask(podUid: string, wanted: WantedImage, secrets: () => Promise<PullSecrets>, onChange: () => void): ImageState {
    const key = `${podUid} ${wanted.reference}`;
    const attempts = this.#attempts.get(key) ?? { failures: 0, underWay: false };
    this.#attempts.set(key, attempts);
    if (attempts.ready !== undefined) return { type: 'ready', image: attempts.ready };
    const { failed } = attempts;
    const againAtMs = failed === undefined ? 0 : failed.atMs + pauseMs(this.#backOff, attempts.failures);
    if (!attempts.underWay && this.#nowMs() >= againAtMs && !this.#end.signal.aborted) {
      attempts.underWay = true;
      const pull = this.#attempt(wanted, attempts, secrets).then(onChange);
      this.#pulls.add(pull);
      void pull.finally(() => this.#pulls.delete(pull));
    }
    if (failed === undefined) return { type: 'pulling' };
    return { type: 'failed', ...this.#told(wanted, failed) };
  }

  /** Forgets other pods than these: they are gone, or have their images. */
  retain(podUids: ReadonlySet<string>): void {
    for (const key of this.#attempts.keys()) {
      if (!podUids.has(key.slice(0, key.indexOf(' ')))) this.#attempts.delete(key);
    }
  }

  /** Breaks pulls off; resolves when nothing of them is left. */
  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#pulls);
  }

  async #attempt(wanted: WantedImage, attempts: Attempts, secrets: () => Promise<PullSecrets>): Promise<void> {
    try {
      attempts.ready = await this.#source.obtain(wanted, secrets, this.#end.signal);
    } catch (error) {
      if (this.#end.signal.aborted) return;
      attempts.failures++;
      const message = error instanceof Error ? error.message : String(error);
      attempts.failed = { reason: reasonOf(error), message, atMs: this.#nowMs() };
      this.#log(`image ${wanted.reference}: ${message}`);
    } finally {
      attempts.underWay = false;
    }
  }

  #told({ reference }: WantedImage, failed: NonNullable<Attempts['failed']>) {
    const { reason, message, atMs } = failed;
    if (reason !== 'ErrImagePull' || this.#nowMs() - atMs < FRESH_MS) return { reason, message };
    const waits = `Back-off pulling image ${JSON.stringify(reference)}: ErrImagePull: ${message}`;
    return { reason: 'ImagePullBackOff' as const, message: waits };
  }
}

function reasonOf(error: unknown): ImageProblem {
  if (error instanceof NeverPulled) return 'ErrImageNeverPull';
  return error instanceof PullError && error.failure === 'invalid-name' ? 'InvalidImageName' : 'ErrImagePull';
}
