import type { Call } from "../kernel/call.js";
import type { SigningKeys } from "./signing-keys.js";

/** The signing keys of the service, for its operator. */
export function createSigningKeyOperations(keys: SigningKeys, call: Call) {
  return {
    /** All keys, the current one first. */
    list: () => call.plain(null, keys.list),
    /** Makes a new key, which signs from now on. What former keys signed stays verifiable: their public parts stay. */
    rotate: () => call.plain(null, keys.rotate),
  };
}
export type SigningKeyOperations = ReturnType<typeof createSigningKeyOperations>;
