import { aCatalogQuery, aCustomer, aProduct } from "@budgetkit/core/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "./index.js";
import { migrate } from "./migrations.js";
import { MIGRATIONS } from "./schema.js";

const BUSINESS_MADE_AT = Date.UTC(2026, 0, 10);
const YEAR_2000 = Date.UTC(2000, 0, 1);

describe("a database from before the catalog", () => {
  let database: BetterSqlite3.Database;

  beforeEach(() => {
    database = new BetterSqlite3(":memory:");
    migrate(
      database,
      MIGRATIONS.filter(({ version }) => version < 3),
    );
    database
      .prepare(
        "INSERT INTO budgetkit_businesses (id, name, tier, time_zone, created_at) VALUES (1, 'B', 'STANDARD', 'UTC', ?)",
      )
      .run(BUSINESS_MADE_AT);
    const customer = database.prepare(
      "INSERT INTO budgetkit_customers (business_id, id, name, email, phone) VALUES (?, ?, ?, ?, ?)",
    );
    customer.run(1, "crm:7", 'ÑANDÚ "Hnos" \\ 🪑', "ventas@example.com", "+54 11");
    customer.run(1, "8", "Ana", null, null);
    customer.run(2, "8", "Another's", null, null);
    const product = database.prepare("INSERT INTO budgetkit_products (business_id, id, name, sku) VALUES (?, ?, ?, ?)");
    product.run(1, "p-1", "Table", "OAK");
    product.run(1, "p-2", "Chair", "OAK"); // skus were not unique then
    product.run(1, "p-3", "Lamp", null);
  });

  afterEach(() => {
    database.close();
  });

  async function migrated() {
    const store = sqliteStore(database);
    await store.migrate();
    return store;
  }

  it("keeps its customers as records of version 1, made when their business was", async () => {
    const store = await migrated();
    const stamps = { version: 1, createdAt: BUSINESS_MADE_AT, updatedAt: BUSINESS_MADE_AT };
    const first = aCustomer({
      ...stamps,
      id: "crm:7",
      name: 'ÑANDÚ "Hnos" \\ 🪑',
      email: "ventas@example.com",
      phone: "+54 11",
    });
    expect(await store.findCustomer("1", "crm:7")).toEqual(first);
    expect(await store.findCustomers("1", ["crm:7"])).toEqual([
      { id: "crm:7", name: first.name, email: first.email, phone: first.phone },
    ]);
    const second = aCustomer({ ...stamps, id: "8", name: "Ana", email: null, phone: null });
    const byName = aCatalogQuery({ sort: "name", order: "asc" });
    expect(await store.listCustomers("1", byName)).toEqual({ entries: [second, first], total: 2, nextCursor: null });
    for (const search of ["ñandú", "ventas@", "+54"]) {
      expect((await store.listCustomers("1", aCatalogQuery({ search }))).entries).toEqual([first]);
    }
    expect((await store.findCustomer("2", "8"))?.createdAt).toBe(YEAR_2000);
  });

  it("lets them be changed and deleted like any other", async () => {
    const store = await migrated();
    const next = aCustomer({ id: "8", version: 2, name: "Ana María", cuit: "20301234563" });
    expect(await store.replaceCustomer(next, 1, [], null)).toBe("written");
    expect(await store.findCustomer("1", "8")).toEqual(next);
    expect(await store.insertCustomer(aCustomer({ id: "crm:7" }), [], null)).toEqual({ taken: "id", value: "crm:7" });
  });

  it("keeps its products, and those that share a sku go on sharing it", async () => {
    const store = await migrated();
    const stamps = { version: 1, createdAt: BUSINESS_MADE_AT, updatedAt: BUSINESS_MADE_AT };
    const table = aProduct({ ...stamps, id: "p-1", name: "Table", sku: "OAK", unitPrice: null });
    expect(await store.findProducts("1", ["p-1"])).toEqual([table]);
    expect((await store.listProducts("1", aCatalogQuery({ search: "oak" }))).total).toBe(2);
    for (const id of ["p-1", "p-2"]) {
      const next = aProduct({ id, version: 2, name: "Renamed", sku: "OAK" });
      expect(await store.replaceProduct(next, 1, [], null)).toBe("written");
    }
    const third = aProduct({ id: "p-3", version: 2, sku: "OAK" });
    expect(await store.replaceProduct(third, 1, [], null)).toEqual({ taken: "sku", value: "OAK" });
  });

  it("leaves nothing of the former tables behind", async () => {
    await migrated();
    const names = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE tbl_name IN ('budgetkit_former_customers', 'budgetkit_former_products')",
      )
      .pluck()
      .all();
    expect(names).toEqual([]);
  });
});
