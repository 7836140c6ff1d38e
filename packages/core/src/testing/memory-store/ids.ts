import type { IdStore } from "../../kernel/ids.js";
import type { OpenTables } from "./tables.js";

export function memoryIds(open: OpenTables): IdStore {
  return {
    reserveIds: async (count) => {
      const tables = open();
      const first = tables.nextId;
      tables.nextId += count;
      return first;
    },
  };
}
