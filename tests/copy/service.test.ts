import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@budgetkit/core";
import type { Delivery } from "@budgetkit/core/store";
import { testDeliveryCommit } from "@budgetkit/core/store";
import { postgresStore } from "@budgetkit/store-postgres";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { aDelivery, memoryBlobStore } from "@budgetkit/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyDatabase } from "../../packages/cli/src/copy/copy-database.js";
import { type FreshDatabase, newDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { type Exchange, IN_ORDER, readEverything } from "../tenants/calls.js";
import { type AnswerText, wholeText } from "../tenants/traces.js";
import { callerFor, makeTenantWorld, requestFor, type Tenant, type TenantWorld } from "../tenants/world.js";

const NAMES = ["south", "north"];

const folder = mkdtempSync(join(tmpdir(), "budgetkit-"));
const opened: Store[] = [];
let database: FreshDatabase;
let tenants: readonly Tenant[]; // of both services
let emptyTables: readonly string[]; // of the source
let origin: TenantWorld; // a service on the source of the copy
let copy: TenantWorld; // the same service on the copy

beforeAll(async () => {
  const path = join(folder, "b.db");
  database = await newDatabase();
  const { url } = database;
  const blobs = memoryBlobStore();
  const first = sqliteStore(path);
  const world = await makeTenantWorld(first, NAMES, { blobs });
  tenants = [...world.tenants.values()];
  const another = await makeTenantWorld(first, [], { blobs }); // it knows no subscribers
  for (const tenant of tenants) {
    await changeABudget(another, tenant); // its event waits to be fanned out
    await first.commit(testDeliveryCommit(waitingDelivery(tenant)));
  }
  for (const { service } of [world, another]) await service.stop();
  await first.close();

  const report = await copyDatabase({ from: { kind: "file", path }, to: { kind: "postgres", url } });
  expect(report.tables.filter(({ isSame }) => !isSame)).toEqual([]);
  emptyTables = report.tables.filter(({ source }) => source.rows === 0).map(({ table }) => table);
  const serviceOn = (store: Store) => {
    opened.push(store);
    return makeTenantWorld(store, [], { seed: 12, blobs });
  };
  origin = await serviceOn(sqliteStore(path, { limiter: "memory" }));
  copy = await serviceOn(postgresStore(url, { clock: "caller" }));
});

afterAll(async () => {
  for (const store of opened) await store.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** An answer, ids included, without the keys and tokens, which each service draws at random. */
function withoutTokens(answer: AnswerText): string {
  return wholeText(answer)
    .replace(/(?:bgk_live|whsec)_[\w+/=-]*|(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[\dA-Z])[\w-]{22,}/g, "TOKEN")
    .replace(/(?<![A-Z2-7])[A-Z2-7]{32}(?![A-Z2-7])/g, "TOKEN"); // the secret of a second factor
}

/** A delivery that waits for its second attempt. */
function waitingDelivery({ names }: Tenant): Delivery {
  const now = Date.parse("2026-03-02T12:00:00.000Z");
  const businessId = names("businessId");
  return aDelivery({
    businessId,
    id: `9${businessId}`,
    subscriber: { kind: "endpoint", id: names("webhookId") },
    body: `{"waited":"${names("mark")}"}`,
    status: "retrying",
    attempts: 1,
    attemptsSinceRestart: 1,
    nextAttemptAt: now,
    deadlineAt: now + 3_600_000,
    createdAt: now,
    updatedAt: now,
  });
}

async function changeABudget({ service }: TenantWorld, { names }: Tenant): Promise<void> {
  const system = { kind: "system", businessId: names("businessId") } as const;
  (await service.budgets.update(system, names("budgetId"), { notes: "changed before the move" }))._unsafeUnwrap();
}

it("a copied service answers requests that were sent before the move as it did then", async () => {
  const route = IN_ORDER.find(({ operationId }) => operationId === "createBudget");
  if (route === undefined) throw new Error("there is no createBudget");
  for (const tenant of tenants) {
    const request = requestFor(route, tenant.names);
    const headers = { ...request.headers, "idempotency-key": "the-same-9" };
    for (const world of [copy, origin]) {
      const answer = await world.ask(callerFor(tenant, route), route, { ...request, headers });
      expect(answer.status).toBe(201);
      expect(JSON.parse(answer.text).data.id).toBe(tenant.names("approvedId"));
    }
  }
});

it("a service continues on a copy as on the source", async () => {
  // forms.test.ts has rows in these.
  expect(emptyTables).toEqual([
    "number_series",
    "budget_numbers",
    "reminder_opt_outs",
    "link_views",
    "viewings",
    "former_revisions",
    "ledger_starts",
    "ledger_beginnings",
  ]);
  await Promise.all([origin.settle(), copy.settle()]);
  expect(copy.callbacks.length).toBeGreaterThan(0);
  expect([...copy.callbacks].sort()).toEqual([...origin.callbacks].sort());

  for (const tenant of tenants) {
    await expectSameReads(tenant);
    const { email, password } = { email: tenant.names("email"), password: tenant.names("password") };
    const logins = await Promise.all([origin, copy].map(({ service }) => service.sessions.login({ email, password })));
    expect(logins[1]?.isOk()).toBe(true);
    await expectSameWrites(tenant);
  }
  expect(copy.errors).toEqual([]);

  const callbacks = copy.callbacks.length;
  await Promise.all([origin.settle(), copy.settle()]);
  expect(copy.callbacks.length).toBeGreaterThan(callbacks);
  expect([...copy.callbacks].sort()).toEqual([...origin.callbacks].sort());
  expect(new Set(copy.callbacks).size).toBe(copy.callbacks.length);
});

async function expectSameReads(tenant: Tenant): Promise<void> {
  const before = await readEverything(origin, tenant);
  const after = await readEverything(copy, tenant);
  for (const [index, { asked, answer }] of before.entries()) {
    expect(answer.status, asked).toBe(200);
    const other = after[index]?.answer;
    expect(other && comparable(other), asked).toEqual(comparable(answer));
  }
}

/** An answer with its bytes as a text: to compare arrays of a million bytes takes seconds. */
function comparable({ bytes, ...answer }: Exchange["answer"]) {
  return { ...answer, bytes: Buffer.from(bytes).toString("latin1") };
}

async function expectSameWrites(tenant: Tenant): Promise<void> {
  for (const route of IN_ORDER.filter(({ method }) => method !== "GET")) {
    const request = requestFor(route, tenant.names);
    const caller = callerFor(tenant, route);
    const [ofOrigin, ofCopy] = [await origin.ask(caller, route, request), await copy.ask(caller, route, request)];
    await Promise.all([origin.quiet(), copy.quiet()]);
    expect(withoutTokens(ofCopy), route.operationId).toBe(withoutTokens(ofOrigin));
  }
}
