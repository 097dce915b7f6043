import type { VirtualMachineInstance } from '../../functions/core/objects.ts';
import type { MemberPath } from '../../functions/core/written-form/misfit.ts';
import type { RenderProblem } from '../../functions/launcher-pod/render-error.ts';

/** The member of a VMI that makes it impossible to render. */
export function fieldOf(problem: RenderProblem, vmi: VirtualMachineInstance): MemberPath {
  const volume = (name: string) => ['spec', 'volumes', (vmi.spec.volumes ?? []).findIndex((v) => v.name === name)];
  switch (problem.type) {
    case 'malformed':
      return problem.path;
    case 'sysprep-without-source':
      return [...volume(problem.volume), 'sysprep'];
    case 'bad-log-verbosity':
      return ['metadata', 'labels', 'logVerbosity'];
    case 'bad-sidecars':
    case 'sidecar-config-map-not-found':
      return ['metadata', 'annotations', 'hooks.kubevirt.io/hookSidecars'];
    case 'unknown-binding-plugin': {
      const interfaces = vmi.spec.domain.devices.interfaces ?? [];
      const index = interfaces.findIndex((i) => i.binding?.name === problem.plugin);
      return ['spec', 'domain', 'devices', 'interfaces', index, 'binding'];
    }
    case 'device-not-permitted': {
      const refused = (vmi.spec.domain.devices.gpus ?? []).some((g) => problem.devices.includes(g.deviceName ?? ''));
      return ['spec', 'domain', 'devices', refused ? 'gpus' : 'hostDevices'];
    }
    // What a plan assumes to be there, and what only other pods need.
    case 'pvc-not-found':
    case 'backend-storage-not-found':
    case 'network-attachment-not-found':
    case 'image-digest-unknown':
    case 'source-node-not-found':
    case 'host-model-unknown':
    case 'selinux-context-unknown':
    case 'bad-selinux-context':
      return ['spec'];
  }
}
