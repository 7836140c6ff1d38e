import { auditCommit, insertBudgetCommit, insertEndpointCommit } from "@budgetkit/core/store";
import { DELIVERY_BYTES } from "@budgetkit/store-kit";
import {
  aBudget,
  aBudgetQuery,
  aBusiness,
  aCatalogQuery,
  aCustomer,
  aDelivery,
  anApiKey,
  anAttachment,
  anAttempt,
  anAuditEntry,
  anEndpoint,
  anEvent,
  anEventQuery,
  anIntegration,
  aPackage,
  aPayment,
  aProduct,
  aSession,
  aUser,
  FIXTURE_TIME as NOW,
} from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { checksumOf, migrate } from "../engine/migrations.js";
import { nameIn } from "../engine/session.js";
import { SCHEMA } from "../schema.js";
import { makeFormerSchema } from "../testing/former-release.js";
import { testSchema } from "../testing/test-schema.js";

const RELEASED = [
  "1d5e5df542917e027db06a5b274981f6c48bce11db8b0cee24aadf10a6951d4b",
  "f3a503aac38fba4a4c94bb8b4f8e47fa08a9b3d83aaecef04331eee2a5a25a1f",
  "9fd8a7fabfc4566feb74e3a073ec6096d75e2f4a17148dc191075ab99a9e507b",
  "d178cecd0036519265f5dac54d92cf262237e1a4d53748cdcc3b353a55075e37",
  "3b50579278fe33ceb986ae97d3ac6f7a3187c6f4c1fce600cdc5c874457ca7b8",
  "10e24cd43b2066aa4598242eeb990e1a55864ae280dbea967c2c32b5d16fcb23",
  "0974b70afa95a263c57ae7c4a10b55822f3b94f420eecae2ef0859bf27ce0d8d",
  "610d082bf5cf0b99d44e36b2c59fdf9785d1f5d13c797cc2b3376213fea878d5",
  "39bca253e22ab0a6dd4e20fc23d6de88971166e74bf0f57426534f889544a881",
  "9f529e4405c90a11d8bfb9ca74963f05fa904fe619789dfbc0813a7864fe0b9d",
  "d6b7c311046d9aa63d1f296c2fde66109f55b918d072f64571c0ea151f6abf03",
  "92d6ac5928e0f05495b5735d27e0dff776519f4ade02df5bf7a8def9eb4bbfc3",
  "2863d275172f009cec3bae0ebb0340b154f0bc20af2757527f1cb29f8641b0a5",
  "8ef3c7960adb2a86f7b26dcd612c4eff32d0553f970b273198d75df280f88669",
  "89b2ec03da20f4e898c4e93dec70539e3d067744dfa1777f0f0f54d19f32e16d",
  "a44ea3b5b6725c42d71db34ac00633d2c5e8e350358d870bfd186c89d87e4d1a",
  "66196dbbe9556d822913af1b6812d109b21ad020ccb3e294cbcf1bbdde5c3c98",
  "59ad8f0c6adc22d855a4d6dfd9e0c3daf3115fd15059ce3fc4c35c4bf2b468d0",
  "d13bac81f256ac958a9d73a4bd52796e12b012ffc6c54a2f5a554d19d39ac14e",
  "157e6c31372b9a3952f6c76bca2a2f49b775b5abf13cdae7a259b5742063b04b",
  "bb375448a8e5b4bfef63c6b592befc290d89e970a9439b02f7794c15473e76d5",
  "5979ae7741e23896b32ddb664bc4890d53316ea7f837bfbe20e461f9d0092772",
  "22ab407f0ac12562e2382cb3d8c7b1360092be3e10a48750a87b2e607f0385bb",
  "748d79ca0198676faccf8d3f4cefd9807da56796f5650a4ef177f3c524e82e0b",
  "301d61df7cf0f79ca713b6db18a604c72aad06bff9566761ddf2cabee9a23690",
  "be7d7fea10fa086061a32e494104abd29260fafef512286d57e6c6235b993cea",
  "fe75df6cfb3913b83f21bb218f209959bc1cb802cc5068a3b06bfdc4efcda3ae",
  "02a391386f0fa17daf462e46e0d20dcb48a3f445dcc9c0c6891e513c299c6d6d",
  "1009405921215b6b72cdc519efefd7528b7486a158afce4fa7c0c5141e2e56a2",
  "26c7f3c0006e03c36b67bc9448ecb04f420f6981d58f1079277c8df46792cf83",
  "45a26026a55db8be0572bb334e569606b3c3f44721366eb7cb2e69e3644b49e2",
  "9e94370a3085545f50fd07ae2f3c7594554a14d6d3fb56c1f804e2e61d39b209",
];

it("keeps the text of every numbered step of the schema", () => {
  expect(
    SCHEMA.migrations.map(({ sql }) => checksumOf(sql)),
    "a released step never changes: write a new one, and note its checksum here",
  ).toEqual(RELEASED);
});

it("a change of the functions' text raises their version", () => {
  expect(
    [SCHEMA.functionsVersion, checksumOf(SCHEMA.functions)],
    "the functions have changed: raise functionsVersion in schema.ts, and note both here",
  ).toEqual([20, "44f818479dbe7d037a50848db45f7cd41a66fcdcb1958174b105a290cde8476f"]);
});

describe("a schema whose search index held single records", () => {
  const former = testSchema({ isMissing: true });

  it("an upgraded schema finds its records at once, and in the new index after maintenance", async () => {
    await migrate(former.pool, former.schema, {
      migrations: SCHEMA.migrations.slice(0, 6),
      functionsVersion: 1,
      functions: "", // the present ones need later tables
    });
    await former.query(`INSERT INTO @customers (business_id, id, version, name_key, created_at, held, name, search_text, document)
      SELECT 1, n, 1, n, n, '{}', n, CASE n WHEN 5 THEN 'zebra' ELSE 'oak' END, json_build_object('id', n::text, 'createdAt', n)
      FROM generate_series(1, 1000) AS n`);
    const store = former.open();
    await store.migrate();
    for (const isWaiting of [true, true, false]) {
      expect(await former.query("SELECT EXISTS (SELECT FROM @search_waiting) AS waits")).toEqual([
        { waits: isWaiting },
      ]);
      const { entries, total } = await store.listRecords("customer", "1", aCatalogQuery({ search: "zebra" }));
      expect([entries.map(({ id }) => id), total]).toEqual([["5"], 1]);
      await store.indexTexts?.(500);
    }
    const [indexed] = await former.query("SELECT count(*)::integer AS n FROM @search_blocks, unnest(ids)");
    expect(indexed?.n).toBe(1_000);
  });
});

describe("a schema without the directory", () => {
  const former = testSchema({ isMissing: true });

  it("lookups go on while an upgrade waits for writers to fill the directory", async () => {
    const migrations = SCHEMA.migrations.filter(({ version }) => version < 26);
    await migrate(former.pool, former.schema, { migrations, functionsVersion: 1, functions: "" });
    const writer = await former.pool.connect();
    const reader = await former.pool.connect();
    const run = (client: typeof writer, sql: string) => client.query(nameIn(former.schema)(sql));
    try {
      await run(writer, "BEGIN; LOCK TABLE @users IN ROW EXCLUSIVE MODE");
      const migrated = former.open().migrate();
      migrated.catch(() => {}); // it is awaited below
      const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = '@users'::regclass";
      await expect.poll(async () => (await run(writer, waiting)).rows.length).toBe(1);
      await run(reader, "SET lock_timeout = 1000");
      for (const table of ["budgets", "customers", "products", "packages", "keys", "users"]) {
        expect((await run(reader, `SELECT FROM @${table}`)).rows).toEqual([]);
      }
      await run(writer, "COMMIT");
      await migrated;
    } finally {
      for (const client of [writer, reader]) client.release(true);
    }
    expect(await former.open().pendingMigrations()).toBe(0);
  });
});

describe("a schema of the first release", () => {
  const upgraded = testSchema({ isMissing: true });
  const fresh = testSchema({ isMissing: true });

  beforeAll(async () => {
    await makeFormerSchema(upgraded.pool, upgraded.schema);
    const tables = await upgraded.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = $1", [
      upgraded.schema,
    ]);
    for (const { name } of tables) {
      const [row] = await upgraded.query(`SELECT count(*)::integer AS n FROM @${name}`);
      expect(row?.n, String(name)).toBeGreaterThan(0);
    }
    for (const [position, occurredAt] of [
      [700, 1],
      [1_000, 2],
    ] as const) {
      const event = anEvent({ businessId: "2", id: String(position), occurredAt });
      await upgraded.query("INSERT INTO @events VALUES (2, $1, $2, $3, $4, $5, $6)", [
        position,
        event.id,
        event.type,
        occurredAt,
        event.subjectId,
        JSON.stringify(event),
      ]);
    }
    await upgraded.query("INSERT INTO @undispatched_events VALUES (2, 1000)");
    const store = upgraded.open();
    expect(await store.pendingMigrations()).toBe(SCHEMA.migrations.length); // all but the first, and the functions
    await store.migrate();
    await fresh.open().migrate();
  });

  // So the store suite on an upgraded schema holds for a new one: see store-suite.test.ts.
  it("an upgraded schema has the tables, indexes, columns and functions of a new one", async () => {
    for (const catalog of [
      "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = $1",
      "SELECT tablename, replace(indexdef, $1, '') AS definition FROM pg_indexes WHERE schemaname = $1",
      "SELECT sequence_name FROM information_schema.sequences WHERE sequence_schema = $1",
      `SELECT proname, replace(pg_get_functiondef(oid), $1, '') AS definition FROM pg_proc
       WHERE pronamespace = $1::text::regnamespace`,
      `SELECT replace(pg_get_triggerdef(oid), $1, '') AS definition FROM pg_trigger
       WHERE tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = $1::text::regnamespace)`,
    ]) {
      const of = async ({ query, schema }: typeof fresh) =>
        (await query(catalog, [schema])).map((row) => JSON.stringify(row)).sort();
      expect(await of(upgraded)).toEqual(await of(fresh));
    }
  });

  it("an upgraded schema counts what it stores", async () => {
    const [row] = await upgraded.query(`SELECT sum(octet_length(document))::integer AS bytes FROM (
      SELECT business_id, document FROM @budgets
      UNION ALL SELECT business_id, document FROM @budget_revisions
      UNION ALL SELECT business_id, document FROM @events
    ) AS stored WHERE business_id = 1`);
    expect(await upgraded.open().measureStorage("1")).toEqual({
      budgets: 1,
      documentBytes: row?.bytes,
      attachmentBytes: anAttachment().size,
      deliveryBytes: 2 * (DELIVERY_BYTES + aDelivery().body.length),
    });
  });

  it("an upgrade numbers the events of each business from 1, in order, and continues after them", async () => {
    const store = upgraded.open();
    await store.commit(auditCommit(anAuditEntry({ id: "901" })));
    await store.commit(insertEndpointCommit(anEndpoint({ businessId: "2" })));
    await store.commit(
      insertBudgetCommit(aBudget({ id: "11", businessId: "2" }), {
        events: [anEvent({ businessId: "2", id: "902", type: "budget.updated" })],
      }),
    );
    const sequencesOf = async (businessId: string) =>
      (await store.listEvents(businessId, anEventQuery())).entries.map(({ id, sequence, revision }) => [
        id,
        sequence,
        revision,
      ]);
    expect((await sequencesOf("1")).map(([, sequence]) => sequence)).toEqual([4, 3, 2, 1]);
    expect(await sequencesOf("2")).toEqual([
      ["902", 3, 3],
      ["1000", 2, 2],
      ["700", 1, 1],
    ]);
    const waiting = await store.findUndispatchedEvents(10);
    expect(waiting.map(({ businessId, sequence }) => [businessId, sequence])).toEqual([
      ["1", 1],
      ["1", 2],
      ["2", 2],
      ["2", 3],
    ]);
    for (const event of waiting.slice(2)) expect(await store.fanOut(event, [])).toBe("written");
  });

  it("the ledger chains of an upgraded schema begin after its earlier entries", async () => {
    const store = upgraded.open();
    for (const [businessId, sequence] of [
      ["1", 4],
      ["2", 3],
    ] as const) {
      const beginning = { sequence, missing: [], statement: null };
      expect((await store.findLedgerBounds(businessId)).beginning).toEqual(beginning);
    }
    expect(await store.findUnsignedBeginnings(9)).toEqual(["1", "2"]);
    expect(await store.signBeginning("2", 4, "of another entry", null)).toBe(false);
    expect(await store.signBeginning("2", 3, "signed", null)).toBe(true);
    expect(await store.signBeginning("2", 3, "signed again", null)).toBe(false);
    expect(await store.signBeginning("2", 3, "signed by another key", "signed")).toBe(true);
    expect(await store.signBeginning("2", 3, "signed", "signed by another key")).toBe(true);
    expect((await store.findLedgerBounds("2")).beginning?.statement).toBe("signed");
    expect(await store.findUnsignedBeginnings(9)).toEqual(["1"]);
  });

  it("an upgraded schema gives ids above those of the first release, in a range for each business", async () => {
    const store = upgraded.open();
    const [{ next } = {}] = await upgraded.query("SELECT next FROM @ids");
    expect(await store.reserveBusinessId()).toBe(next);
    expect(await store.reserveIds("1", 1)).toBe(1_000_000_001);
    expect(await store.reserveIds("2", 1)).toBe(2_000_000_001);
  });

  it("an upgraded schema keeps its rows", async () => {
    const store = upgraded.open();
    const budget = aBudget({ publicTokenHash: "token", version: 3, revision: 2, notes: "changed" });
    expect(await store.pendingMigrations()).toBe(0);
    expect(await store.findBusiness("1")).toEqual(aBusiness());
    const user = aUser({ lastLoginAt: aSession().createdAt });
    expect(await store.findUser("1", "30")).toEqual(user);
    expect(await store.findUserByEmail(user.emailKey)).toEqual(user);
    expect(await store.findSession("1", "40")).toEqual(aSession());
    expect((await store.findKeyByHash("hash-of-key-20"))?.id).toBe("20");
    expect(await store.findKeyByHash("former hash")).toEqual({
      ...anApiKey({ previousKeyHash: "former hash", webhookUrl: "https://shop.example/hooks" }),
      tier: "STANDARD",
    });
    expect(await store.findBudget("1", "10")).toEqual(budget);
    expect((await store.listBudgets("1", aBudgetQuery())).entries).toEqual([budget]);
    expect(await store.findBudgetByPublicToken("token")).toEqual(budget);
    expect((await store.listPayments("1", "10", 10, 0)).entries).toEqual([aPayment()]);
    expect((await store.listRecords("customer", "1", aCatalogQuery())).entries).toEqual([aCustomer()]);
    expect((await store.listRecords("product", "1", aCatalogQuery())).entries).toEqual([aProduct()]);
    expect((await store.listRecords("package", "1", aCatalogQuery())).entries).toEqual([aPackage()]);
    expect((await store.listAttachments("1", "10", 10, 0)).entries).toEqual([anAttachment()]);
    expect((await store.listIntegrations("1", 10, 0)).entries).toEqual([anIntegration()]);
    expect((await store.listEndpoints("1", 10, 0)).entries).toEqual([anEndpoint()]);
    expect((await store.listEvents("1", anEventQuery())).total).toBe(4);
    expect(await store.findUndispatchedEvents(10)).toHaveLength(2);
    expect(await store.sumBudgets("1", 0)).toHaveLength(1);
    expect(await store.countConsumed("key:20", 3_600_000, NOW + 200)).toBe(140);
    const delivery = aDelivery();
    const [attempt] = await store.listAttempts("1", delivery.id);
    expect(attempt).toEqual(anAttempt({ deliveryId: delivery.id, number: 1 }));
    expect(await store.findDelivery("1", delivery.id)).toMatchObject({ status: "retrying", attempts: 1 });
    expect(await store.findDelivery("1", "92")).toMatchObject({ status: "pending", attempts: 0 });
  });
});
