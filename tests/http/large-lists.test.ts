import { setImmediate as nextTurn } from "node:timers/promises";
import { type BudgetService, createBudgetService, SCOPES, scryptHasher } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { seededRandom } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { askDirectly } from "../hosts/direct-host.js";

const ENTRIES = 24;
/**
 * A turn parses or writes 256 KiB, and at most one entry more: see kernel/in-turns.ts. The end of the parsing and the
 * beginning of the writing may share a turn.
 */
const MOST_OF_A_TURN = 2 * (256 * 1024 + 128 * 1024);

describe("a page of megabytes", () => {
  it("parses and writes a page of megabytes in turns of the event loop", { timeout: 60_000 }, async () => {
    const { service, read } = await serviceOfLargeRecords();
    for (const path of ["budgets?limit=100", "customers?limit=100"]) {
      const before = await read(path);
      const { most, text } = await charactersOfTurns(() => read(path));
      expect(text, path).toBe(before.text);
      expect(text.length, path).toBeGreaterThan(600_000);
      expect(most, path).toBeLessThanOrEqual(MOST_OF_A_TURN);
      expect(JSON.stringify(JSON.parse(text)), path).toBe(text);
    }
    const events = await charactersOfTurns(async () => {
      const found = await service.events.list({ kind: "system", businessId: "1001" }, { limit: 100 });
      return { text: JSON.stringify(found._unsafeUnwrap().data.length) };
    });
    expect(events.most).toBeLessThanOrEqual(MOST_OF_A_TURN);
  });

  it("a page of megabytes leaves out the metadata, and keeps page numbers", async () => {
    const { read } = await serviceOfLargeRecords();
    const { text } = await read("budgets?limit=10&page=3");
    const { data, pagination } = JSON.parse(text);
    expect([data.length, pagination.total, pagination.totalPages]).toEqual([ENTRIES - 20, ENTRIES, 3]);
    expect(text).not.toContain("metadata");
  });
});

/** The longest text that JSON.parse and JSON.stringify work on in one turn of the event loop, each entry once. */
async function charactersOfTurns<T extends { readonly text: string }>(work: () => Promise<T>) {
  let most = 0;
  let now = 0;
  let isDone = false;
  const endTurn = () => {
    most = Math.max(most, now);
    now = 0;
    if (!isDone) setImmediate(endTurn);
  };
  const { parse, stringify } = JSON;
  const parsing = vi.spyOn(JSON, "parse").mockImplementation((text, ...rest) => {
    now += text.length;
    return parse(text, ...rest);
  });
  const writing = vi.spyOn(JSON, "stringify").mockImplementation((...given: Parameters<typeof stringify>) => {
    const text = stringify(...given);
    now += text?.length ?? 0;
    return text;
  });
  setImmediate(endTurn);
  try {
    const { text } = await work();
    await nextTurn();
    return { most, text };
  } finally {
    isDone = true;
    parsing.mockRestore();
    writing.mockRestore();
  }
}

/** Budgets near the largest size, and customers near theirs. */
async function serviceOfLargeRecords(): Promise<{
  service: BudgetService;
  read: (path: string) => Promise<{ readonly text: string }>;
}> {
  const store = sqliteStore(":memory:");
  const service = createBudgetService({
    store,
    secret: "a secret for tests that is long enough",
    passwordHasher: scryptHasher(seededRandom(1), { cost: 2 }),
  });
  onTestFinished(async () => {
    await service.stop();
    await store.close();
  });
  const { id: businessId } = (await service.businesses.create({ name: "north" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId } as const;
  const items = Array.from({ length: 32 }, () => ({ description: "a".repeat(2_000), quantity: 1, unitPrice: 1 }));
  const metadata = { note: "b".repeat(16_000) };
  for (let count = 0; count < ENTRIES; count += 1) {
    (await service.budgets.create(actor, { customerId: "c", items, metadata }))._unsafeUnwrap();
    for (const note of ["c".repeat(16_000), "d".repeat(16_000)]) {
      (await service.customers.create(actor, { name: "Ana", metadata: { note } }))._unsafeUnwrap();
    }
  }
  const { key } = (await service.keys.create(actor, { name: "all", scopes: [...SCOPES] }))._unsafeUnwrap();
  const headers = { authorization: `Bearer ${key}` };
  const read = async (path: string) => {
    const response = await askDirectly(service, { method: "GET", path: `/api/public/${path}`, headers, body: null });
    expect(response.status, response.text).toBe(200);
    return response;
  };
  return { service, read };
}
