/** Stands in for virt-controller as far as leadership goes: gets and keeps its Lease by its rules, and acts while it has it. */
import { KubeApi } from '../../../events/relay/kube/api.ts';
import { KubeHttp } from '../../../events/relay/kube/http.ts';
import { loadKubeConfig } from '../../../events/relay/kube/kubeconfig.ts';
import { KubeLease } from '../../../events/relay/leadership/kube-lease.ts';
import { LeaseKeeper, type LeaseTiming } from '../../../events/relay/leadership/lease-keeper.ts';
import { systemPorts } from '../../../events/relay/system-ports.ts';

export class Original {
  readonly #http: KubeHttp;
  readonly #keeper: LeaseKeeper;

  constructor(kubeconfig: string, identity: string, timing: LeaseTiming) {
    const ports = systemPorts(() => -1);
    this.#http = new KubeHttp(loadKubeConfig(kubeconfig));
    const api = new KubeApi(this.#http, ports.timers, () => Promise.resolve());
    this.#keeper = new LeaseKeeper(new KubeLease(api, 'kubevirt', identity, timing, ports), timing, ports);
  }

  /** Resolves when it leads. */
  async lead(): Promise<void> {
    await this.#keeper.acquire();
    void this.#keeper.keep();
  }

  /** Ends as virt-controller does: the Lease is left to run out. */
  async end(): Promise<void> {
    this.#keeper.abandon();
    await this.#http.close();
  }
}
