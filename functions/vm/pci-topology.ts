import { annotation } from './names.ts';
import type { Pass } from './pass.ts';
import { next, type Step } from './step.ts';

const { pciTopologyVersion: VERSION, pciInterfaceSlotCount: SLOT_COUNT } = annotation;

/** Keeps the PCI topology that the running VMI was given for the VM's later starts (vm.md 6.7). */
export function keepPciTopology(pass: Pass): Step {
  const { instance, editCopy } = pass;
  const given = instance?.metadata.annotations;
  const { template } = editCopy.spec;
  const own = (template?.metadata as { annotations?: Record<string, string> } | undefined)?.annotations;
  if (!given?.[VERSION] || own?.[VERSION]) return next;
  const slots = given[SLOT_COUNT];
  const annotations = { ...own, [VERSION]: given[VERSION], ...(slots !== undefined && { [SLOT_COUNT]: slots }) };
  const metadata = { ...template?.metadata, annotations };
  pass.editCopy = { ...editCopy, spec: { ...editCopy.spec, template: { ...template, metadata } } };
  return next;
}
