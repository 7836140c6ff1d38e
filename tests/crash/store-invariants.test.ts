import { join } from "node:path";
import { createBudgetService } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../packages/store-sqlite/src/engine/database.js";
import { temporaryFolder } from "../programs/running-program.js";
import { findViolations, type KnownFacts } from "./store-invariants.js";
import { prepareBusiness } from "./workload/business.js";
import type { Creation } from "./workload/ledger.js";

const secret = "a secret of at least thirty-two characters";

describe("the invariants of a database", () => {
  let path = "";
  let facts: KnownFacts;

  beforeEach(async () => {
    path = join(temporaryFolder(), "b.db");
    const { businessId } = await prepareBusiness(sqliteStore(path), secret);
    const store = sqliteStore(path);
    const sender = {
      send: async () =>
        ({ kind: "answered", responseCode: 204, responseBody: "", retryAfterSeconds: null, durationMs: 1 }) as const,
    };
    const service = createBudgetService({ store, secret, webhooks: { sender } });
    const system = { kind: "system", businessId } as const;
    const events = ["budget.created", "budget.approved"] as const;
    const endpoint = await service.webhooks.create(system, { url: "https://hooks.example/", events: [...events] });
    const creations: Creation[] = [];
    for (const notes of ["a", "b", "c"]) {
      const items = [{ description: "Chair", quantity: 1, unitPrice: 1 }];
      const { id } = (await service.budgets.create(system, { customerId: "ana", notes, items }))._unsafeUnwrap();
      const { status, version } = (await service.budgets.update(system, id, { status: "APPROVED" }))._unsafeUnwrap();
      const budget = { id, version, status, attempted: null };
      creations.push({ idempotencyKey: notes, body: "", answer: "", budget });
    }
    await service.webhooks.tick();
    await service.stop();
    await store.close();
    facts = { businessId, creations, endpointIds: [endpoint._unsafeUnwrap().id] };
  });

  /** Changes the file behind the back of the store. */
  async function violationsAfter(sql: string): Promise<string> {
    const database = openDatabase(path);
    database.pragma("foreign_keys = OFF");
    database.exec(sql);
    database.close();
    const store = sqliteStore(path);
    try {
      return (await findViolations(store, facts)).join("\n");
    } finally {
      await store.close();
    }
  }

  it("findViolations finds nothing in what the service wrote", async () => {
    expect(await violationsAfter("")).toBe("");
  });

  it.each([
    ["a lost budget", "DELETE FROM budgetkit_budgets WHERE id = (SELECT min(id) FROM budgetkit_budgets)", "is lost"],
    ["a lost event", "DELETE FROM budgetkit_events WHERE sequence = 4", "sequences are wrong"],
    [
      "a changed entry",
      "UPDATE budgetkit_events SET document = json_set(document, '$.actor', 'key:9') WHERE sequence = 4",
      "the hash of entry 4 is",
    ],
    [
      "a counter behind the ledger",
      "UPDATE budgetkit_event_counters SET last_sequence = last_sequence - 1",
      "the ledger ends at",
    ],
    ["a wrong quota", "UPDATE budgetkit_storage_use SET budgets = budgets + 1", "the quota counts 4 budgets of 3"],
    ["a wrong counter", "UPDATE budgetkit_budget_sums SET budgets = budgets + 1", "counts 4 budgets of 3"],
    [
      "a lost delivery",
      "DELETE FROM budgetkit_delivery_log WHERE id = (SELECT min(id) FROM budgetkit_delivery_log)",
      "has no delivery",
    ],
  ])("findViolations finds %s", async (_, sql, words) => {
    expect(await violationsAfter(sql)).toContain(words);
  });
});
