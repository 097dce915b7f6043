import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { LogVerbosity } from '../log-verbosity.ts';
import type { Container } from '../pod-types.ts';
import { isDedicatedOrGuaranteed } from '../predicates/cpu.ts';
import { present } from '../present.ts';
import type { Reasoned } from '../reason.ts';
import { supportResources } from '../resources/support-resources.ts';
import { PRIVATE_DIR } from '../volumes/fixed-volumes.ts';
import { HELPER_CONTEXT } from './security-contexts.ts';

const DEFAULTS = { requests: { cpu: '5m', memory: '35M' }, limits: { cpu: '15m', memory: '60M' } };

/** The container that shows the guest's serial console as its log (launcher-pod.md 13.2). */
export function consoleLogContainers(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  verbosity: LogVerbosity,
): readonly Reasoned<Container>[] {
  if (!logsConsole(vmi, configuration)) return [];
  const guaranteed = isDedicatedOrGuaranteed(vmi);
  const support = supportResources(configuration, 'guest-console-log', DEFAULTS, guaranteed);
  return [
    {
      because: [`shows the serial console as its log; ${switchedOnBy(vmi)}`, support.because],
      value: present({
        name: 'guest-console-log',
        image: configuration.process.launcherImage,
        imagePullPolicy: configuration.kubevirt.imagePullPolicy,
        command: ['/usr/bin/virt-tail'],
        args: ['--logfile', `${PRIVATE_DIR}/${vmi.metadata.uid}/virt-serial0-log`],
        env: [{ name: 'VIRT_LAUNCHER_LOG_VERBOSITY', value: `${verbosity.effective}` }],
        restartPolicy: 'Always',
        resources: support.resources,
        securityContext: HELPER_CONTEXT,
        volumeMounts: [{ name: 'private', mountPath: PRIVATE_DIR, readOnly: true }],
      }),
    },
  ];
}

function switchedOnBy(vmi: VirtualMachineInstance): string {
  return vmi.spec.domain.devices?.logSerialConsole === undefined ? 'nothing turns it off' : 'devices.logSerialConsole';
}

function logsConsole(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): boolean {
  const { autoattachSerialConsole, logSerialConsole } = vmi.spec.domain.devices ?? {};
  if (autoattachSerialConsole === false) return false;
  return logSerialConsole ?? configuration.kubevirt.virtualMachineOptions?.disableSerialConsoleLog === undefined;
}
