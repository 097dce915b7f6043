/** Labels of a node that concern its time stamp counter (node.md B1). */

/** Hz, from the node's side. */
export const TSC_FREQUENCY = 'cpu-timer.node.kubevirt.io/tsc-frequency';

/** Whether the node can show guests another frequency than its own; from the node's side. */
export const TSC_SCALABLE = 'cpu-timer.node.kubevirt.io/tsc-scalable';

/** Whether launcher pods may come to the node. */
export const SCHEDULABLE = 'kubevirt.io/schedulable';

const OFFERED = 'scheduling.node.kubevirt.io/tsc-frequency-';

/** The label by which a launcher pod finds a node that can give its guest this frequency; its value is `true`. */
export function offeredFrequencyLabel(hz: number): string {
  return `${OFFERED}${hz}`;
}

/** The frequencies for which a node has such labels. A suffix that is no number is nobody's: it stays. */
export function offeredFrequencies(labels: Readonly<Record<string, string>>): readonly number[] {
  return Object.keys(labels).flatMap((key) => {
    if (!isOfferedFrequency(key)) return [];
    const hz = Number(key.slice(OFFERED.length));
    return offeredFrequencyLabel(hz) === key && Number.isSafeInteger(hz) ? [hz] : [];
  });
}

export function isOfferedFrequency(key: string): boolean {
  return key.startsWith(OFFERED);
}
