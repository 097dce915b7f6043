/** Why a guest, or a launcher pod without one, failed; `status.reason` of its VMI. */
export type FailureReason =
  | 'GuestNotStarted'
  | 'GuestPanicked'
  | 'GuestCrashed'
  | 'GuestKilled'
  | 'GuestLost'
  | 'NodeOutOfDisk'
  | 'NotSupportedByNode';

/** How a guest, or a launcher pod without one, ended. The message is for users. */
export type Outcome =
  | { readonly phase: 'Succeeded'; readonly message: string }
  | { readonly phase: 'Failed'; readonly message: string; readonly reason: FailureReason };

export function succeeded(message: string): Outcome {
  return { phase: 'Succeeded', message };
}

export function failed(reason: FailureReason, message: string): Outcome {
  return { phase: 'Failed', reason, message };
}
