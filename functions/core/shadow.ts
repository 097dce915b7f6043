/**
 * A shadow is a relay that looks on while somebody else acts. Its rows in the table are those of a cluster of their own, so that it
 * disturbs neither the lease nor the states of those who act.
 */
const SUFFIX = '.shadow';

export function shadowOf(cluster: string): string {
  return `${cluster}${SUFFIX}`;
}

/** Whether a cluster's name is that of a shadow. */
export function isShadow(cluster: string): boolean {
  return cluster.endsWith(SUFFIX);
}
