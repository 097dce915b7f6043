import type { VirtualMachine } from '../core/objects.ts';

/** vm.md 9.1. The generation is the VM's at the start. */
export function startRevisionName(vm: VirtualMachine): string {
  return `${prefixOf(vm)}-${vm.metadata.generation ?? 0}`;
}

/** Whether the name is one of a start revision of that VM, of any generation. */
export function isStartRevisionOf(vm: VirtualMachine, name: string): boolean {
  return name.includes(prefixOf(vm));
}

/** The number after the last dash; none, if there is no number. */
export function generationInName(name: string): number | undefined {
  return parseGeneration(name.slice(name.lastIndexOf('-') + 1));
}

/** A generation written in decimal; anything else (`2b3c`, nothing) is none. */
export function parseGeneration(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

function prefixOf(vm: VirtualMachine): string {
  return `revision-start-vm-${vm.metadata.uid}`;
}
