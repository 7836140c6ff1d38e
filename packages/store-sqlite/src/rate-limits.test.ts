import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createMemoryRateLimitStore, type Store } from "@budgetkit/core/store";
import { FIXTURE_TIME, seededRandom } from "@budgetkit/core/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "./index.js";
import { bundlePackage, startChild } from "./testing/child-process.js";
import { type TemporaryFolder, temporaryFolder } from "./testing/temporary-folder.js";

describe("the limiter in a file", () => {
  let folder: TemporaryFolder;
  let path: string;
  let store: Store;

  beforeEach(async () => {
    folder = temporaryFolder();
    path = folder.file("budgets.db");
    store = sqliteStore(path);
    await store.migrate();
  });

  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  it("decides as the one in memory does, whatever the clock and the limits do", async () => {
    const memory = createMemoryRateLimitStore();
    const random = seededRandom(7);
    const draw = (below: number) => (random.bytes(1)[0] ?? 0) % below;
    let now = FIXTURE_TIME;
    for (let step = 0; step < 3_000; step += 1) {
      now += draw(5) === 0 ? draw(200) - 120 : draw(12);
      if (draw(100) === 0) now -= 900 + draw(200); // about as far as the longest window
      const windows = [
        { lengthMs: 1_000, limit: 6 + draw(40) },
        { lengthMs: 100, limit: 1 + draw(8) },
      ];
      const subject = `key:1:${draw(3)}`;
      expect(await store.admit(subject, windows, now)).toEqual(await memory.admit(subject, windows, now));
    }
  });

  it("keeps no more of a busy subject than its windows count, give or take a sweep", async () => {
    const windows = [{ lengthMs: 100, limit: 1_000 }];
    for (let n = 0; n < 1_000; n += 1) await store.admit("key:1:20", windows, FIXTURE_TIME + n);
    const limits = new BetterSqlite3(`${path}-limits`);
    const rows = Number(limits.prepare("SELECT count(*) FROM budgetkit_admissions").pluck().get());
    limits.close();
    expect(rows).toBeGreaterThanOrEqual(100);
    expect(rows).toBeLessThanOrEqual(132);
  });

  it("forgets a subject that was busy for long, and not before it is idle", async () => {
    const windows = [{ lengthMs: 1_000, limit: 100 }];
    for (let n = 0; n < 50; n += 1) {
      await store.admit("busy", windows, FIXTURE_TIME + n * 100);
      expect(await store.pruneWindows(FIXTURE_TIME + n * 100, 10)).toBe(0);
    }
    await store.admit("idle", windows, FIXTURE_TIME);
    expect(await store.pruneWindows(FIXTURE_TIME + 5_000, 1)).toBe(1);
    expect(await store.pruneWindows(FIXTURE_TIME + 5_000, 10)).toBe(0);
    expect(await store.pruneWindows(FIXTURE_TIME + 5_900, 10)).toBe(1);
    const limits = new BetterSqlite3(`${path}-limits`);
    expect(limits.prepare("SELECT count(*) FROM budgetkit_admissions").pluck().get()).toBe(0);
    expect(limits.prepare("SELECT count(*) FROM budgetkit_subjects").pluck().get()).toBe(0);
    limits.close();
  });

  it("admits exactly the limit over processes that share the file", async () => {
    const packageUrl = await bundlePackage(folder.path);
    const script = `
      const store = sqliteStore(${JSON.stringify(path)});
      await store.migrate();
      const windows = [{ lengthMs: 3_600_000, limit: 500 }, { lengthMs: 60_000, limit: 700 }];
      let admitted = 0;
      const client = async () => {
        for (let n = 0; n < 40; n += 1) {
          if ((await store.admit("key:1:20", windows, ${FIXTURE_TIME} + n)).admitted) admitted += 1;
        }
      };
      await Promise.all(Array.from({ length: 10 }, client));
      await store.close();
      console.log(admitted);
    `;
    const children = Array.from({ length: 3 }, () => startChild(packageUrl, script));
    const admitted = (await Promise.all(children.map(({ output }) => output))).map(Number);
    expect(admitted.reduce((sum, count) => sum + count, 0)).toBe(500);
  }, 30_000);

  it("begins anew when a loss of power has damaged its file", async () => {
    const windows = [{ lengthMs: 1_000, limit: 1 }];
    await store.admit("key:1:20", windows, FIXTURE_TIME);
    await store.close();
    for (const damaged of ["no database at all", damage(readFileSync(`${path}-limits`))]) {
      writeFileSync(`${path}-limits`, damaged);
      store = sqliteStore(path);
      await store.migrate();
      expect((await store.admit("key:1:20", windows, FIXTURE_TIME)).admitted).toBe(true);
      await store.close();
    }
    store = sqliteStore(path);
  });

  it("opens its file at the first decision when nobody has migrated", async () => {
    await store.close();
    store = sqliteStore(path);
    expect(existsSync(`${path}-limits`)).toBe(true);
    expect((await store.admit("key:1:20", [{ lengthMs: 1_000, limit: 1 }], FIXTURE_TIME)).admitted).toBe(true);
  });
});

/** The file with its second half overwritten. */
function damage(file: Buffer): Buffer {
  return Buffer.from(file).fill(0x55, 4_096);
}
