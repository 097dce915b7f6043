/** Groups of a VM's `status.printableStatus` (runtime.md 12.7). */
export const statusGroups = ['starting', 'running', 'migrating', 'non_running', 'error'] as const;
export type StatusGroup = (typeof statusGroups)[number];

const groupOfStatus: Readonly<Record<string, StatusGroup>> = {
  Provisioning: 'starting',
  Starting: 'starting',
  WaitingForVolumeBinding: 'starting',
  Running: 'running',
  Migrating: 'migrating',
  Stopped: 'non_running',
  Paused: 'non_running',
  Stopping: 'non_running',
  Terminating: 'non_running',
  CrashLoopBackOff: 'error',
  Unknown: 'error',
  ErrorUnschedulable: 'error',
  ErrImagePull: 'error',
  ImagePullBackOff: 'error',
  ErrorPvcNotFound: 'error',
  DataVolumeError: 'error',
};

/** `undefined`: a status of no group. */
export function statusGroupOf(printableStatus: string | undefined): StatusGroup | undefined {
  return groupOfStatus[printableStatus ?? ''];
}
