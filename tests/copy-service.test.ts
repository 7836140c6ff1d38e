import { join } from "node:path";
import type { Store } from "@budgetkit/core";
import type { Delivery } from "@budgetkit/core/store";
import { aDelivery, memoryBlobStore, memoryStore } from "@budgetkit/core/testing";
import { postgresStore } from "@budgetkit/store-postgres";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { copyDatabase } from "../packages/cli/src/copy-database.js";
import { freshDatabase } from "../packages/store-postgres/src/testing/fresh-database.js";
import { temporaryFolder } from "./running-program.js";
import { IN_ORDER, readEverything } from "./tenant-calls.js";
import { type AnswerText, wholeText } from "./tenant-traces.js";
import { callerFor, makeTenantWorld, requestFor, type Tenant, type TenantWorld } from "./tenant-world.js";

const NAMES = ["south", "north"];

/** The same service on what it was copied from, and on the copy. */
async function twoWorlds() {
  const path = join(temporaryFolder(), "b.db");
  const { url } = await freshDatabase();
  const blobs = memoryBlobStore();
  const first = sqliteStore(path);
  const world = await makeTenantWorld(first, NAMES, { blobs });
  for (const tenant of world.tenants.values()) {
    await changeABudget(world, tenant); // and tell nobody of it yet
    await first.insertDelivery(waitingDelivery(tenant));
  }
  await world.service.stop();
  await first.close();

  const report = await copyDatabase({ from: { kind: "file", path }, to: { kind: "postgres", url } });
  expect(report.tables.filter(({ isSame }) => !isSame)).toEqual([]);
  const empty = report.tables.filter(({ source }) => source.rows === 0).map(({ table }) => table);
  const opened = [sqliteStore(path, { limiter: "memory" }), postgresStore(url, { clock: "caller" })];
  onTestFinished(async () => {
    for (const store of opened) await store.close();
  });
  const again = (store: Store | undefined) => makeTenantWorld(store ?? memoryStore(), [], { seed: 12, blobs });
  return {
    tenants: [...world.tenants.values()],
    empty,
    origin: await again(opened[0]),
    copy: await again(opened[1]),
  };
}

/** An answer, ids included, without the keys and tokens that are drawn anew. */
function withoutTokens(answer: AnswerText): string {
  return wholeText(answer).replace(
    /(?:bgk_live|whsec)_[\w+/=-]*|(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{22,}/g,
    "TOKEN",
  );
}

/** One whose receiver was not there. */
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
    attemptsInRound: 1,
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

it("a service goes on with a copy as with what it was copied from", async () => {
  const { tenants, empty, origin, copy } = await twoWorlds();
  expect(empty).toEqual([]);
  const sent = await Promise.all([origin, copy].map(({ service }) => service.webhooks.tick()));
  expect(sent[1]).toEqual(sent[0]);
  expect(copy.callbacks.length).toBeGreaterThan(0);
  expect([...copy.callbacks].sort()).toEqual([...origin.callbacks].sort());

  for (const tenant of tenants) {
    const before = await readEverything(origin, tenant);
    const after = await readEverything(copy, tenant);
    for (const [index, { asked, answer }] of before.entries()) {
      expect(answer.status, asked).toBe(200);
      expect(after[index]?.answer, asked).toEqual(answer);
    }
    const { email, password } = { email: tenant.names("email"), password: tenant.names("password") };
    const logins = await Promise.all([origin, copy].map(({ service }) => service.sessions.login({ email, password })));
    expect(logins[1]?.isOk()).toBe(true);

    for (const route of IN_ORDER.filter(({ method }) => method !== "GET")) {
      const asked = requestFor(route, tenant.names);
      const caller = callerFor(tenant, route);
      const [told, toldOfCopy] = [await origin.ask(caller, route, asked), await copy.ask(caller, route, asked)];
      expect(withoutTokens(toldOfCopy), route.operationId).toBe(withoutTokens(told));
    }
  }
  expect(copy.errors).toEqual([]);

  const callbacks = copy.callbacks.length;
  await Promise.all([origin, copy].map(({ service }) => service.webhooks.tick()));
  expect(copy.callbacks.length).toBeGreaterThan(callbacks);
  expect([...copy.callbacks].sort()).toEqual([...origin.callbacks].sort());
  expect(new Set(copy.callbacks).size).toBe(copy.callbacks.length);
});

it("a request that is sent again after the move is answered as it was before", async () => {
  const { tenants, copy } = await twoWorlds();
  for (const tenant of tenants) {
    const route = IN_ORDER.find(({ operationId }) => operationId === "createBudget");
    if (route === undefined) throw new Error("there is no createBudget");
    const asked = requestFor(route, tenant.names);
    const headers = { ...asked.headers, "idempotency-key": "the-same-7" };
    const answer = await copy.ask(callerFor(tenant, route), route, { ...asked, headers });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.text).data.id).toBe(tenant.names("approvedId"));
  }
});
