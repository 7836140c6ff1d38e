import { type BudgetService, createBudgetService, type WebhookSender } from "@budgetkit/core";
import { StoreUnavailable } from "@budgetkit/core/store";
import { postgresStore } from "@budgetkit/store-postgres";
import { rounds } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkDatabase } from "../../packages/cli/src/doctor/check-database.js";
import { startReplicated } from "../../packages/store-postgres/src/testing/replicated-server.js";

const secret = "a secret of at least thirty-two characters";
const WRITES = rounds({ small: 12, full: 2_000 });
const WAIT = { timeout: 60_000, interval: 20 };

/** What receivers and clients have seen, of all processes. */
function observer() {
  const errors: unknown[] = [];
  const budgets: string[] = []; // of acknowledged creations
  const eventsOfDeliveries = new Map<string, Set<string>>();
  const subjectsOfEvents = new Map<string, Set<string>>();
  const add = (all: Map<string, Set<string>>, id: string, value: string) =>
    all.set(id, (all.get(id) ?? new Set()).add(value));
  const sender: WebhookSender = {
    send: async ({ body }) => {
      const { data, metadata } = JSON.parse(body);
      add(eventsOfDeliveries, metadata.delivery_id, metadata.event_id);
      add(subjectsOfEvents, metadata.event_id, data.id);
      return { kind: "answered", responseCode: 204, responseBody: "", retryAfterSeconds: null, durationMs: 1 };
    },
  };
  const ambiguous = () =>
    [...eventsOfDeliveries, ...subjectsOfEvents].filter(([, values]) => values.size > 1).map(([id]) => id);
  return { errors, budgets, sender, deliveries: eventsOfDeliveries, ambiguous };
}

type Observer = ReturnType<typeof observer>;

/** A process with a store of its own. It ends with the test at the latest. */
async function startedProcess(url: string, { sender, errors }: Observer): Promise<StartedProcess> {
  const store = postgresStore(url);
  const onError = (error: unknown) => void errors.push(...(error instanceof AggregateError ? error.errors : [error])); // of the steps of maintenance
  const service = createBudgetService({ store, secret, onError, webhooks: { sender } });
  await service.start();
  const end = async () => {
    await service.stop();
    await store.close();
  };
  onTestFinished(end);
  return { ...service, end };
}

interface StartedProcess extends BudgetService {
  end(): Promise<void>;
}

/** Creates budgets until `count` were acknowledged. */
async function write(service: BudgetService, businessId: string, count: number, seen: Observer): Promise<void> {
  const actor = { kind: "system", businessId } as const;
  const input = { customerId: "c", items: [{ description: "Chair", quantity: 1, unitPrice: 10 }] };
  for (let made = 0; made < count; ) {
    try {
      seen.budgets.push((await service.budgets.create(actor, input))._unsafeUnwrap().id);
      made += 1;
    } catch (error) {
      seen.errors.push(error);
    }
  }
}

describe("a failover of PostgreSQL to a standby that was behind", () => {
  it("a failover to a standby that was behind repeats no seen id of a budget, event or delivery, and fails with 503 only", async () => {
    const server = await startReplicated();
    onTestFinished(() => server.stop());
    const seen = observer();
    const services = [await startedProcess(server.url, seen), await startedProcess(server.url, seen)];
    const [first] = services;
    if (first === undefined) throw new Error("no service");
    const { id } = (await first.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: id } as const;
    const endpoint = { url: "https://hooks.example/", events: ["budget.created" as const] };
    (await first.webhooks.create(actor, endpoint))._unsafeUnwrap();
    const { key } = (await first.keys.create(actor, { name: "k", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
    const writeAll = (count: number) => Promise.all(services.map((service) => write(service, id, count, seen)));
    const receiveAll = () => expect.poll(() => seen.deliveries.size, WAIT).toBeGreaterThanOrEqual(seen.budgets.length);

    await writeAll(WRITES);
    await server.catchUp();
    await expectStandbyRefused(server.standby.url, key);
    await server.cutOff();
    const forgotten = await startedProcess(server.url, seen); // the commits that reserve its ids are lost
    const kept = seen.budgets.length;
    await write(forgotten, id, WRITES, seen);
    const lost = seen.budgets.slice(kept);
    await receiveAll();
    await forgotten.end();

    const writing = writeAll(WRITES); // with the blocks of ids that they have
    await server.failOver();
    const newcomer = await startedProcess(server.url, seen);
    await write(newcomer, id, WRITES, seen);
    await writing;
    services.push(newcomer);
    await writeAll(WRITES);
    await receiveAll();

    expect(new Set(seen.budgets).size).toBe(seen.budgets.length);
    expect(seen.ambiguous()).toEqual([]);
    const found = await Promise.all(lost.map(async (budget) => (await first.budgets.get(actor, budget)).isOk()));
    expect(found.filter(Boolean)).toEqual([]); // they were lost, and no other budget has their ids
    expect(seen.errors.filter((error) => !(error instanceof StoreUnavailable))).toEqual([]);
  });
});

/** A process on the standby answers 503, and `budgetkit doctor` says what it is. */
async function expectStandbyRefused(url: string, key: string): Promise<void> {
  const store = postgresStore(url, { listen: false });
  const service = createBudgetService({ store, secret, onError: () => {} });
  const headers = { authorization: `Bearer ${key}` };
  const response = await service.fetch(new Request("https://host.example/v1/api/public/budgets", { headers }));
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
  await store.close();
  const quotas = { BUDGETKIT_MAX_BUDGETS: null, BUDGETKIT_MAX_BYTES: null };
  const found = await checkDatabase({ kind: "postgres", url }, quotas, () => {});
  expect(found).toEqual([{ name: "database", state: "wrong", says: expect.stringContaining("is a standby") }]);
}
