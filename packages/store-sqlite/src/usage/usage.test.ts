import type { Store } from "@budgetkit/core/store";
import { aUsageRow, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "../index.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";

describe("usage in a file", () => {
  let folder: TemporaryFolder;
  let stores: Store[];

  beforeEach(async () => {
    folder = temporaryFolder();
    stores = Array.from({ length: 3 }, () => sqliteStore(folder.file("budgets.db")));
    await Promise.all(stores.map((store) => store.migrate()));
  });

  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    folder.remove();
  });

  async function requestsIn(store: Store | undefined, keyId = "20"): Promise<number[] | undefined> {
    const sums = await store?.sumUsage("1", keyId, [{ grain: "minute", from: 0, until: NOW + 1 }]);
    return sums?.moments.map(({ requests }) => requests);
  }

  it("adds up the usage rows that several connections write at the same time", async () => {
    const writes = stores.flatMap((store) => Array.from({ length: 40 }, () => store.addUsage([aUsageRow()])));
    await Promise.all(writes);
    for (const store of stores) expect(await requestsIn(store)).toEqual([360]);
  });

  it("writes all usage rows of a call or none", async () => {
    const [store] = stores;
    await expect(store?.addUsage([aUsageRow(), aUsageRow({ businessId: "no id" })])).rejects.toThrow("not an id");
    await expect(store?.addUsage([aUsageRow(), aUsageRow({ requests: Number.NaN })])).rejects.toThrow();
    expect(await requestsIn(store)).toEqual([]);
  });

  it("refuses the stored id of all keys as the id of a key", async () => {
    const [store] = stores;
    await store?.addUsage([aUsageRow({ keyId: null })]);
    for (const id of ["-1", "0", "", "null"]) {
      expect(await requestsIn(store, id)).toEqual([]);
    }
  });
});
