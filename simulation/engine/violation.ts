/** A broken invariant. */
export class Violation extends Error {
  override readonly name = "Violation";
  readonly invariant: string;

  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`);
    this.invariant = invariant;
  }
}
