import type { SigningKeyStore } from "@budgetkit/core/store";
import type { OpenTables } from "./tables.js";

export function memorySigningKeys(open: OpenTables): SigningKeyStore {
  return {
    listSigningKeys: async () => [...open().signingKeys.values()].sort((one, other) => one.number - other.number),

    insertSigningKey: async (key) => {
      const { signingKeys } = open();
      if (signingKeys.has(key.number)) return false;
      signingKeys.set(key.number, { ...key });
      return true;
    },
  };
}
