import { insertBudgetCommit, insertEndpointCommit } from "@budgetkit/core/store";
import { aBudget, aDelivery, anEndpoint, anEvent, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { sqliteStore } from "../index.js";

it("stores the payload of an event once for all of its deliveries, until the last of them is pruned", async () => {
  const database = new BetterSqlite3(":memory:");
  const store = sqliteStore(database);
  await store.migrate();
  await store.commit(insertEndpointCommit(anEndpoint()));
  await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }));
  const [event] = await store.findUndispatchedEvents(1);
  if (event === undefined) throw new Error("no event waits");
  await store.fanOut(
    event,
    ["70", "71", "72"].map((id) => aDelivery({ id, body: `{"metadata":{"delivery_id":"${id}"}}` })),
  );
  const payloads = () => database.prepare("SELECT deliveries FROM budgetkit_payloads").pluck().all();
  expect(payloads()).toEqual([3]);
  await store.cancelDeliveries("1", aDelivery().subscriber, NOW, 2);
  await store.pruneDeliveries(NOW + 1, 10);
  expect(payloads()).toEqual([1]);
  await store.cancelDeliveries("1", aDelivery().subscriber, NOW, 2);
  await store.pruneDeliveries(NOW + 1, 10);
  expect(payloads()).toEqual([]);
  database.close();
});
