import { insertBudgetCommit } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, anEvent, anEventQuery, FIXTURE_TIME } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundlePackage } from "../../../../tests/programs/child-process.js";
import { sqliteStore } from "../index.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";

describe("a process that is killed while it writes", () => {
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  afterEach(() => folder.remove());

  it("a killed process keeps every acknowledged budget, and no budget without its event", async () => {
    const path = folder.file("budgets.db");
    const startChild = await bundlePackage("store-sqlite", folder.path);
    const script = `
      import { writeSync } from "node:fs";
      const store = sqliteStore(${JSON.stringify(path)});
      await store.migrate();
      const commit = ${JSON.stringify(insertBudgetCommit(aBudget(), { events: [anEvent()] }))};
      const [write] = commit.writes;
      const [event] = commit.events;
      const windows = [{ lengthMs: 3_600_000, limit: 1_000 }];
      let last = 1_000;
      let acknowledged = 0;
      const client = async () => {
        for (;;) {
          last += 1;
          const id = String(last);
          await store.consume("key:1:20", windows, ${FIXTURE_TIME});
          const writes = [{ ...write, budget: { ...write.budget, id } }];
          await store.commit({ ...commit, writes, events: [{ ...event, id, subjectId: id }] });
          writeSync(1, id + "\\n");
          acknowledged += 1;
          if (acknowledged === 300) process.kill(process.pid, "SIGKILL");
        }
      };
      await Promise.all(Array.from({ length: 20 }, client));
    `;
    const acknowledged = (await startChild(script).output).trim().split("\n");
    expect(acknowledged).toHaveLength(300);

    const store = sqliteStore(path);
    await store.migrate();
    for (const id of acknowledged) expect(await store.findBudget("1", id)).not.toBeNull();
    const { total } = await store.listBudgets("1", aBudgetQuery({ limit: 1 }));
    expect((await store.listEvents("1", anEventQuery({ limit: 1 }))).total).toBe(total);
    const admission = await store.consume("key:1:20", [{ lengthMs: 3_600_000, limit: 1_000 }], FIXTURE_TIME);
    expect(admission.used).toBeGreaterThan(total);
    await store.close();
  }, 30_000);
});
