/** The build of the control plane is not possible here, or failed. One line. */
export class BuildFailed extends Error {
  constructor(reason: string) {
    super(reason.replaceAll(/\s+/g, ' ').trim());
    this.name = 'BuildFailed';
  }
}
