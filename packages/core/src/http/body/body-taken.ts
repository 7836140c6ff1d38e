/**
 * Thrown by an adapter for a body that the host has read without keeping its bytes. `reader` names what read it. The
 * client gets the message, and the operator gets the error.
 */
export class BodyTaken extends Error {
  override readonly name = "BodyTaken";

  constructor(reader: string) {
    super(`The body was read before it reached Budgetkit, by ${reader}. Mount Budgetkit before it.`);
  }
}

/** By name: an adapter may load the class from the other module format. */
export function isBodyTaken(error: unknown): error is Error {
  return error instanceof Error && error.name === "BodyTaken";
}
