import type { VirtualMachineInstance } from '../core/objects.ts';
import { misfitIn } from '../core/written-form/misfit.ts';
import { RenderError } from './render-error.ts';

/**
 * The VMI as rendering may read it: what the API server's schema lets pass, with a domain, which is written by value.
 *
 * @throws RenderError `malformed`
 */
export function wellFormed(vmi: VirtualMachineInstance): VirtualMachineInstance {
  const misfit =
    misfitIn(vmi.metadata, 'ObjectMeta', ['metadata']) ??
    misfitIn(vmi.spec, 'VirtualMachineInstanceSpec', ['spec']) ??
    (vmi.status === undefined ? undefined : misfitIn(vmi.status, 'VirtualMachineInstanceStatus', ['status']));
  if (misfit !== undefined) throw new RenderError({ type: 'malformed', ...misfit });
  if (!vmi.metadata.name) throw new RenderError({ type: 'malformed', path: ['metadata', 'name'], expected: 'there' });
  // An object in the store may lack what its type promises.
  const domain: VirtualMachineInstance['spec']['domain'] | undefined = vmi.spec.domain;
  return domain === undefined ? { ...vmi, spec: { ...vmi.spec, domain: { devices: {} } } } : vmi;
}
