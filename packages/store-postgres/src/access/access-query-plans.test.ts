import {
  endSessionCommit,
  insertKeyCommit,
  insertUserCommit,
  NO_KEY_LIMITS,
  openSessionCommit,
  refreshSessionCommit,
  removeUserCommit,
  replaceHashCommit,
  replaceKeyCommit,
  replaceUserCommit,
  type Store,
  setTierCommit,
  touchKeyCommit,
} from "@budgetkit/core/store";
import { anApiKey, anAuditEntry, aSession, aUsageRow, aUser, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExplainedStore, explainedStore } from "../testing/explained-store.js";
import { testSchema } from "../testing/test-schema.js";

/** Half of the businesses have one key each, as most may; the others 100. */
const FILL = `
  INSERT INTO @businesses SELECT n, 'Name', 'STANDARD', 'UTC', ${NOW} FROM generate_series(1, 20000) AS n;
  INSERT INTO @users SELECT 1 + n % 200, n, n || '-a', n || '-a', 'Name', NULL, 'ADMIN', true, 'hash', ${NOW}
    FROM generate_series(1, 20000) AS n;
  INSERT INTO @sessions SELECT 1 + n % 200, 'session-' || n, n::text, 'hash', ${NOW} + n, ${NOW}, NULL
    FROM generate_series(1, 20000) AS n;
  INSERT INTO @keys SELECT CASE WHEN n % 2 = 0 THEN 1000 + n ELSE 1 + n % 100 END, n, 1, 'ACTIVE', ${NOW} + n,
    CASE WHEN n % 10 = 1 THEN 'https://a.example' END, 'hash-' || n, CASE WHEN n % 10 = 0 THEN 'old-' || n END,
    ${NOW} - n, NULL, NULL, '{}'
    FROM generate_series(1, 20000) AS n;
  INSERT INTO @directory SELECT 'email', email_key, business_id, id FROM @users;
  INSERT INTO @directory SELECT 'key', digest, business_id, id FROM @keys, unnest(ARRAY[key_hash, previous_key_hash]) AS digest
    WHERE digest IS NOT NULL;
  INSERT INTO @usage SELECT 1 + n % 4, n % 5, grain, ${NOW} - 60000 * (n / 20), '/' || n % 3, 'GET', 1, 0, 0, 5
    FROM generate_series(1, 10000) AS n, unnest(ARRAY['minute', 'hour', 'day', 'hour-total']) AS grain;
  INSERT INTO @uploads SELECT 'upload:1:' || n / 10, 'hold-' || n, 10, ${NOW} + n FROM generate_series(1, 20000) AS n;
  INSERT INTO @budget_sums SELECT n / 10, 'PENDING', 'C' || n % 10, 1, 5 FROM generate_series(1, 20000) AS n;
`;

/** So often PostgreSQL plans a prepared statement for its values before it keeps one plan, and more. */
const SETTLES_WITHIN = 8;

type Ask = (store: Store, turn: number) => Promise<unknown>;

const AGES = { minute: NOW, hour: NOW, day: NOW, "hour-total": NOW };
const WINDOW = { lengthMs: 1_000_000, limit: 1_000 };
const ROTATION = { businessId: "1", expectedHash: "none", newHash: "new", newExpiresAt: NOW };

function ownerOf600(version: number) {
  return aUser({ id: "600", emailKey: "600-a", role: "OWNER", passwordHash: "hash", version });
}

/** The indexes of a commit, which also compares the totals of the business where the process knows them. */
function mayExpectTotals(indexes: string): string {
  const names = [...indexes.split(" and "), ...TOTALS].sort();
  return `${indexes} or ${names.join(" and ")}`;
}

const TOTALS = ["delivery_use_pkey", "endpoints_pkey", "event_counters_pkey", "keys_with_webhook", "storage_use_pkey"];

/**
 * What is asked, and the indexes that lead to its rows. Whether one that holds all that is asked for is worth more than
 * the primary key depends on how much of the table VACUUM has found unchanged: then either may do.
 */
const ASKED: Readonly<Record<string, readonly [ask: Ask, indexes: string]>> = {
  "a business by its id": [(store) => store.findBusiness("7"), "businesses_pkey"],
  "businesses in order": [(store) => store.listBusinesses("7", 10), "businesses_pkey"],
  "another tier": [(store) => store.commit(setTierCommit("7", "PREMIUM")), "businesses_pkey"],
  "a user by their id": [(store) => store.findUser("1", "200"), "users_pkey"],
  "a user by their email": [(store) => store.findUserByEmail("7-a"), "directory_pkey and users_pkey"],
  "a new user": [
    (store, turn) => store.commit(insertUserCommit(aUser({ id: `${30_000 + turn}`, emailKey: `${turn}-b` }))),
    "directory_pkey",
  ],
  "another password": [(store) => store.commit(replaceHashCommit("1", "200", "a", "b")), "users_pkey"],
  "users in order": [(store) => store.listUsers("1", 10, 0), "users_pkey"],
  "a changed user, whose sessions end": [
    (store, turn) => store.commit(replaceUserCommit(ownerOf600(turn + 2), turn + 1, { at: NOW, except: "kept" })),
    "directory_pkey and sessions_pkey and users_pkey",
  ],
  "an OWNER who may be the last": [
    (store, turn) => store.commit(replaceUserCommit({ ...ownerOf600(turn + 50), role: "ADMIN" }, turn + 1)),
    "users_pkey",
  ],
  "a user to remove": [
    (store, turn) => store.commit(removeUserCommit(`${800 + 200 * turn}`, 1, anAuditEntry())),
    "delivery_use_pkey and directory_pkey and endpoints_pkey and event_counters_pkey and events_of_subject and former_revisions_pkey and keys_with_webhook and sessions_pkey and storage_use_pkey and users_pkey",
  ],
  "a new session": [
    (store, turn) => store.commit(openSessionCommit(aSession({ id: `${turn}`, userId: "400" }), "hash")),
    mayExpectTotals("users_pkey"),
  ],
  "a session by its id": [(store) => store.findSession("1", "session-200"), "sessions_pkey"],
  "open sessions of users": [(store) => store.countLiveSessions("1", ["200", "400"], NOW), "sessions_pkey"],
  "a refresh": [
    (store) => store.commit(refreshSessionCommit({ ...ROTATION, sessionId: "session-200" }, NOW)),
    mayExpectTotals("sessions_pkey"),
  ],
  "the end of a session": [
    (store) => store.commit(endSessionCommit("1", "session-200", NOW)),
    mayExpectTotals("sessions_pkey"),
  ],
  "sessions to forget": [(store) => store.pruneSessions(NOW + 10, 10), "sessions_by_end"],
  "a key by its id": [(store) => store.findKey("2", "1"), "keys_pkey"],
  "a key by its digest": [(store) => store.findKeyByHash("none"), "businesses_pkey and directory_pkey and keys_pkey"],
  "keys, newest first": [(store) => store.listKeys("1", 10, 0), "keys_by_creation and keys_pkey"],
  "a new key that callbacks go to": [
    (store, turn) =>
      store.commit(
        insertKeyCommit(anApiKey({ id: `${30_000 + turn}`, webhookUrl: "https://a.example" }), {
          ...NO_KEY_LIMITS,
          withWebhook: 999,
        }),
      ),
    "keys_with_webhook",
  ],
  "a new key, of no more than so many": [
    (store, turn) =>
      store.commit(
        insertKeyCommit(anApiKey({ id: `${31_000 + turn}`, keyHash: `n${turn}` }), { keys: 999, withWebhook: 999 }),
      ),
    "keys_by_status",
  ],
  "a key that callbacks go to from now on": [
    (store, turn) =>
      store.commit(
        replaceKeyCommit(
          anApiKey({ businessId: "4", id: `${3 + 200 * turn}`, keyHash: `h${turn}`, webhookUrl: "https://a.example" }),
          1,
          999,
        ),
      ),
    "directory_pkey and keys_pkey and keys_with_webhook",
  ],
  "the use of a key": [(store, turn) => store.commit(touchKeyCommit("2", "1", NOW + turn)), "keys_pkey"],
  "counts of keys": [(store) => store.countKeys("1", NOW, NOW + 1), "keys_by_status or keys_pkey"],
  "sums of budgets": [(store) => store.sumBudgets("1", 1), "budget_sums_pkey and budgets_overdue_of_business"],
  "usage that is added": [(store) => store.addUsage([aUsageRow()]), ""],
  "the usage of a key": [
    (store) => store.sumUsage("1", "3", [{ grain: "hour", from: NOW - 9_000_000, until: NOW }]),
    "usage_pkey",
  ],
  "the usage of a business, by several grains": [
    (store) =>
      store.sumUsage("1", null, [
        { grain: "minute", from: NOW - 9_000_000, until: NOW },
        { grain: "hour-total", from: 0, until: NOW },
      ]),
    "usage_pkey",
  ],
  "usage to forget": [(store) => store.pruneUsage(AGES, 10), "usage_by_age and usage_pkey"],
  "room for an upload": [
    (store) => store.holdUpload("upload:1:7", { id: "new", needed: 1, wanted: 2 }, WINDOW, NOW),
    "upload_sums_pkey and uploads_of_subject and uploads_pkey",
  ],
  "the end of an upload": [
    (store) => store.settleUpload("upload:1:7", "new", 1, WINDOW, NOW),
    "upload_sums_pkey and uploads_of_subject",
  ],
  "uploads to forget": [(store) => store.pruneUploads(NOW + 10, 10), "uploads_by_leaving"],
};

describe("how PostgreSQL goes about access, usage and uploads", () => {
  const schema = testSchema();
  let explained: ExplainedStore;

  beforeAll(async () => {
    await schema.freshStore();
    await schema.query(FILL);
    await schema.vacuum("businesses", "directory", "users", "sessions", "keys", "usage", "uploads", "budget_sums");
    explained = explainedStore(schema);
  });

  afterAll(() => explained.close());

  for (const [name, [ask, indexes]] of Object.entries(ASKED)) {
    it(`PostgreSQL plans ${name} along ${indexes || "no index, since it only adds"}`, async () => {
      let plans = "";
      for (let turn = 0; turn < SETTLES_WITHIN; turn += 1) {
        plans = (await explained.plansOfOne(() => ask(explained.store, turn))).join("\n");
      }
      expect(plans).not.toBe("");
      expect(plans).not.toMatch(/Seq Scan on (?!batches)/);
      expect(indexes.split(" or ")).toContain(indexesIn(plans));
    });
  }
});

function indexesIn(plans: string): string {
  const used = [...plans.matchAll(/(?:Scan(?: Backward)? using|Bitmap Index Scan on) (\w+)/g)].map(
    ([, name]) => name ?? "",
  );
  return [...new Set(used)]
    .filter((name) => !name.startsWith("batches"))
    .sort()
    .join(" and ");
}
