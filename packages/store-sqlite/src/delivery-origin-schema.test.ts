import { aDelivery } from "@budgetkit/core/testing";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { DELIVERY_COLUMNS, deliveryValuesOf } from "./delivery-rows.js";
import { sqliteStore } from "./index.js";
import { migrate } from "./migrations.js";
import { MIGRATIONS } from "./schema.js";

it("A database from before deliveries had an origin keeps them, without one", async () => {
  const database = new BetterSqlite3(":memory:");
  onTestFinished(() => void database.close());
  migrate(
    database,
    MIGRATIONS.filter(({ version }) => version < 11),
  );
  const delivery = aDelivery();
  const values = deliveryValuesOf(delivery);
  const places = values.map(() => "?").join(", ");
  database.prepare(`INSERT INTO budgetkit_deliveries (${DELIVERY_COLUMNS}) VALUES (${places})`).run(...values);
  database.prepare("INSERT INTO budgetkit_delivery_bodies VALUES (1, 70, ?)").run(delivery.body);
  const store = sqliteStore(database);
  await store.migrate();
  expect(await store.findDelivery("1", "70")).toEqual({ ...delivery, origin: null });
});
