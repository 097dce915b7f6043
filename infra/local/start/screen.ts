/** What a person sees: one line per step that renews itself on a terminal, plain lines elsewhere. */
import type { Progress } from '../progress.ts';

export class Screen {
  readonly #out: NodeJS.WriteStream;
  readonly #startedAt = performance.now();
  #step = '';
  /** Whether the cursor stands behind a step that is still being renewed. */
  #open = false;
  #console = '';

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  readonly report = ({ step, text }: Progress): void => {
    const line = `${this.#time()}  ${step.padEnd(14)} ${text}`;
    if (!this.#out.isTTY) {
      this.#out.write(`${line}\n`);
      return;
    }
    if (this.#open && step !== this.#step) this.#out.write('\n');
    this.#out.write(`\r\u001b[2K${line.slice(0, this.#out.columns - 1)}`);
    this.#step = step;
    this.#open = true;
  };

  /** A line of its own. */
  readonly line = (text = ''): void => {
    this.#close();
    this.#out.write(`${text}\n`);
  };

  /** A line that tells when something happened. */
  readonly happened = (text: string): void => this.line(`${this.#time()}  ${text}`);

  /** Bytes of the guest's console, whole lines marked as such. */
  console(text: string): void {
    this.#console += text.replaceAll('\r', '');
    const lines = this.#console.split('\n');
    this.#console = lines.pop() ?? '';
    for (const line of lines) this.line(`          | ${line}`);
  }

  #close(): void {
    if (this.#open) this.#out.write('\n');
    this.#open = false;
  }

  #time(): string {
    return `${((performance.now() - this.#startedAt) / 1000).toFixed(1).padStart(6)} s`;
  }
}
