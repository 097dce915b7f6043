import { defineController } from '../core/controller.ts';
import { identityOf } from '../core/identity.ts';
import { KubeVirt, Node, VirtualMachineInstance } from '../core/kinds.ts';
import type * as objects from '../core/objects.ts';
import { type Found, many } from '../core/reads.ts';
import { byStatusNode, occupantProjection, unschedulableNodes } from '../rules/tsc/node-occupants.ts';
import { byTsc, HAS_TSC, tscProjection } from '../rules/tsc/node-tsc.ts';
import { byTscHint, HAS_HINT, hintProjection } from './frequencies-in-use.ts';

/**
 * What the topology updater looks at (node.md B5): all of it at once, under one key, that of the KubeVirt object. The reads are
 * narrow and change seldom, so they subscribe; nothing is done by the clock.
 */
export const topology = defineController({
  name: 'topology',
  primary: KubeVirt,
  concurrency: 1,
  eventSource: 'virt-controller',
  project: kubeVirtIdentity,
  reads: {
    nodes: many(Node)
      .by(byTsc, () => HAS_TSC)
      .only(tscProjection),
    occupants: many(VirtualMachineInstance)
      .by(byStatusNode, (_: objects.KubeVirt, found: Found) => unschedulableNodes(found.many<objects.Node>('nodes')))
      .only(occupantProjection),
    hinted: many(VirtualMachineInstance)
      .by(byTscHint, () => HAS_HINT)
      .only(hintProjection),
  },
  revisitWhen: ({ kubevirt }) => kubevirt.developerConfiguration?.minimumClusterTSCFrequency,
});

function kubeVirtIdentity(kubeVirt: objects.KubeVirt): objects.KubeVirt {
  return { ...identityOf(kubeVirt), spec: {} as objects.KubeVirt['spec'] };
}
