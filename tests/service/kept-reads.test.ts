import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BudgetService, createBudgetService, type Store } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { drawInteger, drawOne, manualClock, rounds, seededRandom } from "@budgetkit/testing";
import { afterAll, describe, expect, it } from "vitest";
import { askDirectly } from "../hosts/direct-host.js";

const STEPS = rounds({ small: 60, full: 1_000 });
const BUDGETS = 4;
const SECRET = "a secret for tests that is long enough";
const DAY_MS = 86_400_000;

const folder = mkdtempSync(join(tmpdir(), "budgetkit-kept-reads-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("Reads of budgets that SQLite keeps", () => {
  it("cached reads of budgets equal those of a fresh service, whichever process changes what", async () => {
    const random = seededRandom(7);
    const clock = manualClock();
    const open = () => {
      const store = sqliteStore(join(folder, "budgets.db"), { limiter: "memory" });
      return { store, service: createBudgetService({ store, clock, secret: SECRET }) };
    };
    const opened = [open(), open()] as const;
    const services = opened.map(({ service }) => service);
    const first = opened[0].service;
    const { id: businessId } = (await first.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId } as const;
    const keyWith = async (...scopes: ("READ_BUDGETS" | "WRITE_BUDGETS")[]) => {
      const rateLimitPerHour = 10_000;
      return (await first.keys.create(actor, { name: "a", scopes, rateLimitPerHour }))._unsafeUnwrap().key;
    };
    const keys = [await keyWith("READ_BUDGETS"), await keyWith("READ_BUDGETS", "WRITE_BUDGETS")];
    await first.customers.create(actor, { id: "ana", name: "Ana" });
    await first.products.create(actor, { id: "table", name: "Table", unitPrice: 450 });
    const ids: string[] = [];
    for (let made = 0; made < BUDGETS; made += 1) {
      const items = [{ productId: "table", description: "Oak table", quantity: 1, unitPrice: 450 }];
      const validUntil = new Date(clock.now() + (made + 1) * 15 * DAY_MS).toISOString();
      ids.push((await first.budgets.create(actor, { customerId: "ana", items, validUntil }))._unsafeUnwrap().id);
    }

    const read = async (service: BudgetService, id: string, key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const path = `/v1/api/public/budgets/${id}`;
      const { status, headers: got, text } = await askDirectly(service, { method: "GET", path, headers, body: null });
      return { status, etag: got.etag, text };
    };
    const acts: ((service: BudgetService, id: string, step: number) => Promise<unknown>)[] = [
      ({ budgets }, id, step) => budgets.update(actor, id, { notes: `notes ${step}` }),
      ({ budgets }, id) => budgets.update(actor, id, { status: drawOne(random, ["APPROVED", "REJECTED", "PENDING"]) }),
      ({ budgets }, id, step) => budgets.recordPayment(actor, id, { amount: 1, reference: `payment ${step}` }),
      ({ budgets }, id) => budgets.delete(actor, id),
      ({ budgets }, id) => budgets.restore(actor, id),
      ({ customers }, _, step) => customers.update(actor, "ana", { name: `Ana ${step}` }),
      ({ products }, _, step) => products.update(actor, "table", { name: `Table ${step}` }),
      async () => clock.advance(drawInteger(random, 20) * DAY_MS),
      async ({ tick }) => tick(),
    ];
    const seen: { readonly status: number; readonly text: string }[] = [];
    const readAll = async (service: BudgetService) => {
      const answers = [];
      for (const id of ids) for (const key of keys) answers.push(await read(service, id, key));
      return answers;
    };
    for (let step = 0; step < STEPS; step += 1) {
      for (const service of services) await readAll(service); // a fresh service makes others forget what they keep
      await drawOne(random, acts)(drawOne(random, services), drawOne(random, ids), step);
      const answers = [];
      for (const service of services) answers.push(await readAll(service));
      const fresh = open();
      const expected = await readAll(fresh.service);
      await close(fresh);
      expect(answers, `step ${step}`).toEqual([expected, expected]);
      seen.push(...expected);
    }
    await Promise.all(opened.map(close));
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200, 404]));
    expect(new Set(seen.map(({ text }) => text)).size).toBeGreaterThan(STEPS);
  });

  it("a caller that changes the budget it read changes no later read", async () => {
    const store = sqliteStore(":memory:");
    const service = createBudgetService({ store, secret: SECRET });
    const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId } as const;
    const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
    const metadata = { order: { id: 7, tags: ["a"] } };
    const { id } = (await service.budgets.create(actor, { customerId: "ana", items, metadata }))._unsafeUnwrap();
    const read = async () => (await service.budgets.get(actor, id))._unsafeUnwrap();
    const expected = JSON.stringify(await read());
    const mine = await read();
    Object.assign(Object(mine.metadata.order), { id: 8 }).tags.push("b");
    mine.items.length = 0;
    mine.availableActions.push("everything");
    mine.customer.name = "Eva";
    expect(JSON.stringify(await read())).toBe(expected);
    await close({ store, service });
  });
});

async function close({ store, service }: { readonly store: Store; readonly service: BudgetService }): Promise<void> {
  await service.stop();
  await store.close();
}
