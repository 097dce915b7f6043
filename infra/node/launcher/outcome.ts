/** How a guest, or a launcher pod without one, ended. */
export interface Outcome {
  readonly phase: 'Succeeded' | 'Failed';
  readonly message: string;
}

export function succeeded(message: string): Outcome {
  return { phase: 'Succeeded', message };
}

export function failed(message: string): Outcome {
  return { phase: 'Failed', message };
}
