/** What a person has to change, on one line: `vm.yaml:12: spec.domain.cpu.cores is not a whole number`. */
export class BadInput extends Error {
  constructor(place: string, detail: string) {
    super(`${place}: ${detail.replaceAll(/\s*\n\s*/g, ' ')}`);
  }
}
