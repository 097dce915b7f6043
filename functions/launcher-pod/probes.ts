/** Probes of the compute container, and what rendering does to the VMI's own (launcher-pod.md 9.5). */
import type { VirtualMachineInstance } from '../core/objects.ts';
import type { ContainerProbe, VmiProbe } from './pod-types.ts';
import { present } from './present.ts';
import { type Reason, reason } from './reason.ts';

const PROBE_PROGRAM = 'virt-probe';
/** What the launcher needs before a probe can say anything. */
const EXTRA_DELAY_SECONDS = 10;

export interface RenderedProbes {
  /** The VMI with the probes that it has from now on. */
  readonly vmi: VirtualMachineInstance;
  readonly liveness?: ContainerProbe;
  readonly readiness?: ContainerProbe;
  readonly reasons: readonly Reason[];
}

interface ProbePair {
  readonly own: VmiProbe;
  readonly container: ContainerProbe;
  readonly because: readonly string[];
}

export function renderProbes(vmi: VirtualMachineInstance): RenderedProbes {
  const domain = `${vmi.metadata.namespace}_${vmi.metadata.name}`;
  const liveness = renderProbe(vmi.spec.livenessProbe, domain);
  const readiness = renderProbe(vmi.spec.readinessProbe, domain);
  const spec = present({ ...vmi.spec, livenessProbe: liveness?.own, readinessProbe: readiness?.own });
  const reasons = [...reasonsOf('livenessProbe', liveness), ...reasonsOf('readinessProbe', readiness)];
  return present({
    vmi: { ...vmi, spec },
    liveness: liveness?.container,
    readiness: readiness?.container,
    reasons,
  });
}

function renderProbe(probe: VmiProbe | undefined, domain: string): ProbePair | undefined {
  if (probe === undefined) return undefined;
  const timeoutSeconds = atLeastOne(probe.timeoutSeconds, 1);
  const numbers = {
    timeoutSeconds,
    periodSeconds: atLeastOne(probe.periodSeconds, 10),
    successThreshold: atLeastOne(probe.successThreshold, 1),
    failureThreshold: atLeastOne(probe.failureThreshold, 3),
  };
  const own: VmiProbe = { ...probe, ...numbers };
  const container: ContainerProbe = present({
    exec: probe.exec,
    httpGet: probe.httpGet as ContainerProbe['httpGet'],
    tcpSocket: probe.tcpSocket as ContainerProbe['tcpSocket'],
    ...numbers,
    initialDelaySeconds: (probe.initialDelaySeconds ?? 0) + EXTRA_DELAY_SECONDS,
  });

  const later = `initialDelaySeconds: ${probe.initialDelaySeconds ?? 0} + ${EXTRA_DELAY_SECONDS} for the launcher`;
  const program = [PROBE_PROGRAM, '--domainName', domain, '--timeoutSeconds', `${timeoutSeconds}`];
  // The program itself ends after the probe's time; the kubelet waits a second longer for its answer.
  const patient = timeoutSeconds + 1;
  const wrapped = `timeoutSeconds: ${timeoutSeconds} + 1: ${PROBE_PROGRAM} asks the guest and keeps the time itself`;
  if (probe.guestAgentPing !== undefined) {
    const exec = { command: [...program, '--guestAgentPing'] };
    return { own, container: { ...container, exec, timeoutSeconds: patient }, because: [later, wrapped] };
  }
  const [first, ...rest] = probe.exec?.command ?? [];
  // A command that an earlier rendering wrapped stays, and its timeout gets no second more.
  if (first === undefined || first === PROBE_PROGRAM) return { own, container, because: [later] };
  const exec = { command: [...program, '--command', first, '--', ...rest] };
  return {
    own: { ...own, exec },
    container: { ...container, exec, timeoutSeconds: patient },
    because: [later, wrapped],
  };
}

function reasonsOf(probe: 'livenessProbe' | 'readinessProbe', pair: ProbePair | undefined): readonly Reason[] {
  return pair === undefined ? [] : [reason(['spec', 'containers', 'compute', probe], ...pair.because)];
}

function atLeastOne(value: number | undefined, otherwise: number): number {
  return value === undefined || value < 1 ? otherwise : value;
}
