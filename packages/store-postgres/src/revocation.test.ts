import { setImmediate as nextTurn } from "node:timers/promises";
import type { ApiKey } from "@budgetkit/core/store";
import { anApiKey, seededRandom } from "@budgetkit/core/testing";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { postgresStore } from "./index.js";
import { type ListeningStore, listeningStore } from "./testing/listening-stores.js";
import { testSchema } from "./testing/test-schema.js";

const KEYS = 12;
const CHANGES = 2_400;
const LOOKUPS_AT_ONCE = 3;
const SEED = 20_261_121;

const hashOf = (id: string) => `hash of ${id}`;

describe("a key that another process changes", () => {
  const schema = testSchema();

  async function two(): Promise<[ListeningStore, ListeningStore]> {
    await (await schema.freshStore()).close();
    const one = listeningStore(schema, "one");
    const other = listeningStore(schema, "other");
    onTestFinished(async () => {
      await one.close();
      await other.close();
    });
    return [one, other];
  }

  const keyOf = (id: string, version: number): ApiKey =>
    anApiKey({ id, version, keyHash: hashOf(id), status: version % 2 === 1 ? "ACTIVE" : "SUSPENDED" });

  /** Looks the key up until it is no longer read. */
  async function untilKnown({ store, keyReads }: ListeningStore, id: string): Promise<void> {
    await vi.waitFor(
      async () => {
        await store.findKeyByHash(hashOf(id));
        const before = keyReads();
        await store.findKeyByHash(hashOf(id));
        expect(keyReads()).toBe(before);
      },
      { timeout: 20_000, interval: 5 },
    );
  }

  it("is read once, and not again at each request", async () => {
    const [one] = await two();
    await one.store.insertKey(keyOf("20", 1), null);
    await untilKnown(one, "20");
    const before = one.keyReads();
    for (let request = 0; request < 100; request += 1) {
      expect(await one.store.findKeyByHash(hashOf("20"))).toMatchObject({ id: "20", version: 1, status: "ACTIVE" });
    }
    expect(one.keyReads()).toBe(before);
    await one.store.touchKey("1", "20", 5_000_000_000_000);
    expect(await one.store.findKeyByHash(hashOf("20"))).toMatchObject({ lastUsedAt: 5_000_000_000_000 });
    expect(one.keyReads()).toBe(before);
  });

  it("is read at each request unless the host asks otherwise", async () => {
    const [one] = await two();
    await one.store.insertKey(keyOf("20", 1), null);
    await untilKnown(one, "20");
    const pool = new pg.Pool({ connectionString: schema.url, max: 4 });
    const reading = postgresStore(pool, { schema: schema.schema });
    const queries = vi.spyOn(pool, "query");
    for (let request = 1; request <= 5; request += 1) {
      await reading.findKeyByHash(hashOf("20"));
      expect(queries).toHaveBeenCalledTimes(request);
    }
    expect(await schema.query("SELECT * FROM @key_caches")).toHaveLength(1);
    await reading.close();
    await pool.end();
  });

  it("is looked for each time while nobody has it, and found as soon as somebody does", async () => {
    const [one, other] = await two();
    await one.store.insertKey(keyOf("20", 1), null);
    await untilKnown(other, "20");
    expect(await other.store.findKeyByHash(hashOf("21"))).toBeNull();
    await one.store.insertKey(keyOf("21", 1), null);
    expect(await other.store.findKeyByHash(hashOf("21"))).toMatchObject({ id: "21" });
  });

  it("is refused by either digest as soon as it was revoked, and the changes of others wait for nobody", async () => {
    const [one, other] = await two();
    await one.store.insertKey({ ...keyOf("20", 1), previousKeyHash: "before" }, null);
    await one.store.insertKey(keyOf("21", 1), null);
    for (const { store } of [one, other]) {
      await store.findKeyByHash("before");
      await store.findKeyByHash(hashOf("21"));
    }
    await untilKnown(other, "20");
    await other.store.findKeyByHash("before");
    const before = other.keyReads();
    await other.store.findKeyByHash("before");
    expect(other.keyReads()).toBe(before);
    expect(await one.store.replaceKey({ ...keyOf("20", 2), previousKeyHash: "before" }, 1)).toBe("written");
    expect(await other.store.findKeyByHash(hashOf("20"))).toMatchObject({ status: "SUSPENDED" });
    expect(await other.store.findKeyByHash("before")).toMatchObject({ status: "SUSPENDED" });
    expect(await one.store.replaceKey(keyOf("20", 2), 1)).toBe("stale");
    expect(await schema.query("SELECT * FROM @key_changes")).toEqual([]);
  });

  it(`is never used as it was before a change, over ${CHANGES} changes (seed ${SEED})`, {
    timeout: 240_000,
  }, async () => {
    const stores = await two();
    const ids = Array.from({ length: KEYS }, (_, index) => String(20 + index));
    for (const id of ids) await stores[0].store.insertKey(keyOf(id, 1), null);
    for (const store of stores) await untilKnown(store, "20");
    const reads = () => stores[0].keyReads() + stores[1].keyReads();
    const readsBefore = reads();
    const stale: string[] = [];
    let lookups = 0;
    let changes = 0;

    async function exercise(id: string): Promise<void> {
      const bytes = seededRandom(SEED + Number(id));
      const draw = (below: number) => (bytes.bytes(1)[0] ?? 0) % below;
      const turns = async (most: number) => {
        for (let turn = draw(most); turn > 0; turn -= 1) await nextTurn();
      };
      let least = 1; // the version that nobody may fall behind of
      let isDone = false;

      async function lookUp(): Promise<void> {
        while (!isDone) {
          const from = stores[draw(2)] ?? stores[0];
          const atLeast = least;
          const found = await from.store.findKeyByHash(hashOf(id));
          lookups += 1;
          if ((found?.version ?? 0) < atLeast) stale.push(`${id}: ${found?.version} after ${atLeast}`);
          await turns(6);
        }
      }

      /** What has committed holds, be it that nobody has acknowledged it yet. */
      async function look(): Promise<void> {
        while (!isDone) {
          const [row] = await schema.query("SELECT version FROM @keys WHERE id = $1", [id]);
          least = Math.max(least, Number(row?.version));
          await turns(40);
        }
      }

      async function change(): Promise<void> {
        for (let version = 2; version <= 1 + CHANGES / KEYS; version += 1) {
          const by = stores[draw(2)] ?? stores[0];
          expect(await by.store.replaceKey(keyOf(id, version), version - 1)).toBe("written");
          least = Math.max(least, version);
          changes += 1;
          await turns(30);
        }
        isDone = true;
      }

      await Promise.all([change(), look(), ...Array.from({ length: LOOKUPS_AT_ONCE }, lookUp)]);
    }

    await Promise.all(ids.map(exercise));
    expect(stale).toEqual([]);
    expect(changes).toBe(CHANGES);
    expect(reads() - readsBefore).toBeLessThan(lookups);
  });

  it("is read again at once when the listening connection is lost, and known again later", async () => {
    const [one, other] = await two();
    await one.store.insertKey(keyOf("20", 1), null);
    for (let version = 2; version <= 6; version += 1) {
      await untilKnown(other, "20");
      await schema.query("SELECT pg_terminate_backend($1)", [await other.listeningPid()]);
      expect(await one.store.replaceKey(keyOf("20", version), version - 1)).toBe("written");
      const before = other.keyReads();
      expect(await other.store.findKeyByHash(hashOf("20"))).toMatchObject({ version });
      expect(other.keyReads()).toBe(before + 1);
    }
    await untilKnown(other, "20");
  });

  it("is waited for at a process that was taken for dead and is back, by whoever still takes it so", async () => {
    await (await schema.freshStore()).close();
    const process = "11111111-1111-4111-8111-111111111111";
    const seen = async () => {
      await schema.query("SELECT @renew_key_cache($1)", [process]);
      const [row] = await schema.query(
        "SELECT json_agg(json_build_array(id, renewal))::text AS caches FROM @key_caches",
      );
      return row?.caches;
    };
    const drop = (caches: unknown) => schema.query("SELECT @drop_key_caches($1)", [caches]);
    const before = await seen();
    await drop(before);
    expect(await schema.query("SELECT id FROM @key_caches")).toEqual([]);
    await seen();
    await drop(before);
    expect(await schema.query("SELECT id FROM @key_caches")).toEqual([{ id: process }]);
  });
});
