import { isTaken, type Refusal } from "./refusal.js";

/** Throws for a refusal that no commit of the operation can get: a fault of the store, or of the operation. */
export function unexpectedRefusal(refusal: Refusal): never {
  const name = isTaken(refusal) ? `${refusal.taken} taken` : refusal;
  throw new Error(`the store refused a commit as "${name}", which does not apply to it`);
}
