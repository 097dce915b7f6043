/** The table did not give what a pass can't do without; nothing was done. Worth another try later. */
export class TableUnavailableError extends Error {
  override readonly name = 'TableUnavailableError';
}
