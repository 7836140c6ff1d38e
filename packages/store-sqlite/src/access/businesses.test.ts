import { insertBusinessCommit, replaceBusinessCommit, setTierCommit } from "@budgetkit/core/store";
import { aBusiness } from "@budgetkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { sqliteStore } from "../index.js";
import { temporaryFolder } from "../testing/temporary-folder.js";

it("SQLite shows a business as it is now after a change of its own and of another process", async () => {
  const folder = temporaryFolder();
  const [own, other] = [sqliteStore(folder.file("b.db")), sqliteStore(folder.file("b.db"))];
  onTestFinished(async () => {
    await Promise.all([own.close(), other.close()]);
    folder.remove();
  });
  await own.migrate();
  await own.commit(insertBusinessCommit(aBusiness()));
  const nameNow = async () => (await own.findBusiness("1"))?.name;
  const named = await nameNow();
  for (const [version, store] of [other, own].entries()) {
    const name = `${named} ${version}`;
    await store.commit(replaceBusinessCommit(aBusiness({ name, version: version + 2 }), version + 1));
    expect(await nameNow()).toBe(name);
  }
  for (const [store, tier] of [
    [other, "ENTERPRISE"],
    [own, "PREMIUM"],
  ] as const) {
    await store.commit(setTierCommit("1", tier));
    expect((await own.findBusiness("1"))?.tier).toBe(tier);
  }
});
