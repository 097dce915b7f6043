/** What a stack has kept can't be read any more, or its disk not be written. One line. */
export class UnusableData extends Error {
  constructor(folder: string, reason: string, cause: unknown) {
    super(`the data in ${folder} cannot be used (${reason}); npm start -- --reset deletes all data`, { cause });
    this.name = 'UnusableData';
  }
}
