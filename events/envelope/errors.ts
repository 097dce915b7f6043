/** One class per way in which a message can be refused; both sides throw them, each treats them in its own way. */

/** The body is not what it should be: not UTF-8, not JSON, nested too deep, or of another shape. */
export class MalformedMessageError extends Error {
  override readonly name = 'MalformedMessageError';
}

/** The body is longer than a receiver reads. */
export class MessageTooLargeError extends Error {
  override readonly name = 'MessageTooLargeError';
}

/** The message is of a version that this side does not know. */
export class UnknownVersionError extends Error {
  override readonly name = 'UnknownVersionError';
}

export type SignatureFault =
  /** A header is missing or not well-formed. */
  | 'missing'
  /** Signed too long ago, or too far in the future. */
  | 'outside-tolerance'
  /** No key of ours made this signature for this message. */
  | 'mismatch';

/** The message is not known to come from the other side. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
  readonly fault: SignatureFault;
  constructor(fault: SignatureFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
