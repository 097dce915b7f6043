/**
 * A small assembler for 16-bit x86 code: just the instructions that the sample guest uses, each a method that emits its bytes.
 * Jumps and addresses name labels; they are filled in when all code stands.
 */

/** 16-bit registers in the order of their numbers in the instruction set. */
const WORD_REGISTERS = ['ax', 'cx', 'dx', 'bx', 'sp', 'bp', 'si', 'di'] as const;
export type WordRegister = (typeof WORD_REGISTERS)[number];
const SEGMENT_REGISTERS = ['es', 'cs', 'ss', 'ds'] as const;
export type SegmentRegister = (typeof SEGMENT_REGISTERS)[number];

interface Fixup {
  readonly at: number;
  readonly label: string;
  /** `short`: signed 8-bit distance; `near`: signed 16-bit distance; `address`: 16-bit absolute address. */
  readonly form: 'short' | 'near' | 'address';
}

const low = (word: number): number => word & 0xff;
const high = (word: number): number => (word >> 8) & 0xff;
const register = (name: WordRegister): number => WORD_REGISTERS.indexOf(name);

export class Assembler {
  readonly #origin: number;
  readonly #bytes: number[] = [];
  readonly #labels = new Map<string, number>();
  readonly #fixups: Fixup[] = [];

  /** `origin`: the address at which the code will lie. */
  constructor(origin: number) {
    this.#origin = origin;
  }

  label(name: string): this {
    if (this.#labels.has(name)) throw new Error(`label ${name} stands twice`);
    this.#labels.set(name, this.#bytes.length);
    return this;
  }

  /** The code with every label filled in. Throws when a label is missing or a short jump reaches too far. */
  assemble(): Uint8Array {
    const code = Uint8Array.from(this.#bytes);
    for (const { at, label, form } of this.#fixups) {
      const target = this.#labels.get(label);
      if (target === undefined) throw new Error(`label ${label} is missing`);
      if (form === 'short') {
        const distance = target - (at + 1);
        if (distance < -128 || distance > 127) throw new Error(`short jump to ${label} reaches ${distance} bytes`);
        code[at] = low(distance);
      } else {
        const value = form === 'near' ? target - (at + 2) : target + this.#origin;
        code[at] = low(value);
        code[at + 1] = high(value);
      }
    }
    return code;
  }

  text(characters: string): this {
    return this.#emit(...Buffer.from(characters, 'latin1'));
  }
  byte(value: number): this {
    return this.#emit(value);
  }

  // Registers
  /** mov reg, imm16 */
  load(to: WordRegister, value: number): this {
    return this.#emit(0xb8 + register(to), low(value), high(value));
  }
  /** mov al, imm8 */
  loadAl(value: number): this {
    return this.#emit(0xb0, value);
  }
  /** mov reg, label: the address of the label */
  loadAddress(to: WordRegister, label: string): this {
    this.#emit(0xb8 + register(to));
    return this.#word(label, 'address');
  }
  /** mov reg, [addr16] */
  loadFrom(to: WordRegister, address: number): this {
    return this.#emit(0x8b, (register(to) << 3) | 0x06, low(address), high(address));
  }
  /** mov [addr16], reg */
  storeTo(address: number, from: WordRegister): this {
    return this.#emit(0x89, (register(from) << 3) | 0x06, low(address), high(address));
  }
  /** mov to, from */
  copy(to: WordRegister, from: WordRegister): this {
    return this.#emit(0x8b, 0xc0 | (register(to) << 3) | register(from));
  }
  /** mov segment, ax */
  loadSegment(to: SegmentRegister): this {
    return this.#emit(0x8e, 0xc0 | (SEGMENT_REGISTERS.indexOf(to) << 3));
  }
  /** xor reg, reg */
  clear(what: WordRegister): this {
    return this.#emit(0x33, 0xc0 | (register(what) << 3) | register(what));
  }
  push(what: WordRegister): this {
    return this.#emit(0x50 + register(what));
  }
  pop(what: WordRegister): this {
    return this.#emit(0x58 + register(what));
  }

  // Arithmetic
  /** inc reg */
  increment(what: WordRegister): this {
    return this.#emit(0x40 + register(what));
  }
  /** sub to, from */
  subtract(to: WordRegister, from: WordRegister): this {
    return this.#emit(0x2b, 0xc0 | (register(to) << 3) | register(from));
  }
  /** add reg, imm8 (sign-extended) */
  add(to: WordRegister, value: number): this {
    return this.#emit(0x83, 0xc0 | register(to), value);
  }
  /** add al, imm8 */
  addAl(value: number): this {
    return this.#emit(0x04, value);
  }
  /** div reg: dx:ax by reg, quotient to ax, remainder to dx */
  divide(by: WordRegister): this {
    return this.#emit(0xf7, 0xf0 | register(by));
  }
  /** cmp reg, imm8 (sign-extended) */
  compare(what: WordRegister, value: number): this {
    return this.#emit(0x83, 0xf8 | register(what), value);
  }
  /** cmp a, b */
  compareWith(a: WordRegister, b: WordRegister): this {
    return this.#emit(0x3b, 0xc0 | (register(a) << 3) | register(b));
  }
  /** test reg, reg */
  testZero(what: WordRegister): this {
    return this.#emit(0x85, 0xc0 | (register(what) << 3) | register(what));
  }
  /** test al, imm8 */
  testAl(mask: number): this {
    return this.#emit(0xa8, mask);
  }
  /** test ah, imm8 */
  testAh(mask: number): this {
    return this.#emit(0xf6, 0xc4, mask);
  }

  // Memory and ports
  /** lodsb: al from [si], si onwards */
  loadNextByte(): this {
    return this.#emit(0xac);
  }
  /** in al, dx */
  inByte(): this {
    return this.#emit(0xec);
  }
  /** in ax, dx */
  inWord(): this {
    return this.#emit(0xed);
  }
  /** out dx, al */
  outByte(): this {
    return this.#emit(0xee);
  }
  /** out dx, ax */
  outWord(): this {
    return this.#emit(0xef);
  }

  // Flow
  /** int imm8 */
  interrupt(number: number): this {
    return this.#emit(0xcd, number);
  }
  jump(label: string): this {
    return this.#emit(0xeb).#short(label);
  }
  jumpIfZero(label: string): this {
    return this.#emit(0x74).#short(label);
  }
  jumpIfNotZero(label: string): this {
    return this.#emit(0x75).#short(label);
  }
  /** jb (also jc): unsigned less after a comparison, or a failed BIOS call */
  jumpIfBelow(label: string): this {
    return this.#emit(0x72).#short(label);
  }
  /** jmp 0:label, which also sets cs */
  farJump(label: string): this {
    return this.#emit(0xea).#word(label, 'address').#emit(0, 0);
  }
  call(label: string): this {
    return this.#emit(0xe8).#word(label, 'near');
  }
  return(): this {
    return this.#emit(0xc3);
  }
  halt(): this {
    return this.#emit(0xf4);
  }
  disableInterrupts(): this {
    return this.#emit(0xfa);
  }
  enableInterrupts(): this {
    return this.#emit(0xfb);
  }
  /** cld: string instructions go upwards */
  stringsUpwards(): this {
    return this.#emit(0xfc);
  }

  #emit(...bytes: number[]): this {
    this.#bytes.push(...bytes);
    return this;
  }
  #short(label: string): this {
    this.#fixups.push({ at: this.#bytes.length, label, form: 'short' });
    return this.#emit(0);
  }
  #word(label: string, form: 'near' | 'address'): this {
    this.#fixups.push({ at: this.#bytes.length, label, form });
    return this.#emit(0, 0);
  }
}
