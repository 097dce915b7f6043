/** What /healthz answers (runtime.md 7), as virt-controller's does; and it is not well while a kind is not followed. */
import { KubeVirt } from '../../../functions/core/kinds.ts';
import type { KubeApi } from '../kube/api.ts';
import type { Reflectors } from '../reflector/reflectors.ts';

export interface HealthAnswer {
  readonly status: 200 | 500;
  readonly body: {
    readonly apiserver:
      | { readonly connectivity: 'ok'; readonly version: unknown }
      | { readonly connectivity: 'failed'; readonly error: string };
    /** Version of the KubeVirt object whose configuration is in use; empty: the defaults. */
    readonly 'config-resource-version': string;
  };
}

/** Shorter than a probe waits. */
const VERSION_LIMIT_MS = 5000;

export class Healthz {
  readonly #api: Pick<KubeApi, 'request'>;
  readonly #reflectors: Pick<Reflectors, 'health' | 'errorsOf'>;
  readonly #configurationVersion: () => string;
  /** The API server's version, for as long as no watch of the KubeVirt object has failed since it was asked for. */
  #version: { readonly answer: Promise<unknown>; readonly errors: number } | undefined;

  /** `api` must pass no limiter: a probe does not wait for the relay's own writes. */
  constructor(
    api: Pick<KubeApi, 'request'>,
    reflectors: Pick<Reflectors, 'health' | 'errorsOf'>,
    configurationVersion: () => string,
  ) {
    this.#api = api;
    this.#reflectors = reflectors;
    this.#configurationVersion = configurationVersion;
  }

  async answer(): Promise<HealthAnswer> {
    const version = { 'config-resource-version': this.#configurationVersion() };
    const failed = (error: string): HealthAnswer => ({
      status: 500,
      body: { apiserver: { connectivity: 'failed', error }, ...version },
    });
    try {
      const server = await this.#serverVersion();
      const troubles = this.#reflectors
        .health()
        .flatMap((k) => (k.trouble === undefined ? [] : [`${k.kind}: ${k.trouble}`]));
      if (troubles.length > 0) return failed(troubles.join('; '));
      return { status: 200, body: { apiserver: { connectivity: 'ok', version: server }, ...version } };
    } catch (e) {
      return failed(e instanceof Error ? e.message : String(e));
    }
  }

  /** Asked for once, and again after any failure of the KubeVirt watch. Those who ask meanwhile wait for the same answer. */
  #serverVersion(): Promise<unknown> {
    const errors = this.#reflectors.errorsOf(KubeVirt);
    if (this.#version?.errors === errors) return this.#version.answer;
    const answer = this.#api.request<unknown>({ method: 'GET', path: '/version', timeoutMs: VERSION_LIMIT_MS });
    const asked = { answer, errors };
    this.#version = asked;
    answer.catch(() => {
      if (this.#version === asked) this.#version = undefined;
    });
    return answer;
  }
}
