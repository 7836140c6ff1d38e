import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createMemoryRateLimitStore, type Store } from "@budgetkit/core/store";
import { FIXTURE_TIME, seededRandom } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bundlePackage } from "../../../../tests/child-process.js";
import { sqliteStore } from "../index.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";

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

  it("decides as the in-memory limiter does, for any clock and any limits", async () => {
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
      expect(await store.consume(subject, windows, now)).toEqual(await memory.consume(subject, windows, now));
    }
  });

  it("keeps no more of a busy subject than its windows count, give or take a sweep", async () => {
    const windows = [{ lengthMs: 100, limit: 1_000 }];
    for (let n = 0; n < 1_000; n += 1) await store.consume("key:1:20", windows, FIXTURE_TIME + n);
    const limits = new BetterSqlite3(`${path}-limits`);
    const rows = Number(limits.prepare("SELECT count(*) FROM budgetkit_admissions").pluck().get());
    limits.close();
    expect(rows).toBeGreaterThanOrEqual(100);
    expect(rows).toBeLessThanOrEqual(132);
  });

  it("forgets a subject that was busy for long, and not before it is idle", async () => {
    const windows = [{ lengthMs: 1_000, limit: 100 }];
    for (let n = 0; n < 50; n += 1) {
      await store.consume("busy", windows, FIXTURE_TIME + n * 100);
      expect(await store.pruneWindows(FIXTURE_TIME + n * 100, 10)).toBe(0);
    }
    await store.consume("idle", windows, FIXTURE_TIME);
    expect(await store.pruneWindows(FIXTURE_TIME + 5_000, 1)).toBe(1);
    expect(await store.pruneWindows(FIXTURE_TIME + 5_000, 10)).toBe(0);
    expect(await store.pruneWindows(FIXTURE_TIME + 5_900, 10)).toBe(1);
    const limits = new BetterSqlite3(`${path}-limits`);
    expect(limits.prepare("SELECT count(*) FROM budgetkit_admissions").pluck().get()).toBe(0);
    expect(limits.prepare("SELECT count(*) FROM budgetkit_subjects").pluck().get()).toBe(0);
    limits.close();
  });

  it("deletes a large log in small transactions, and meanwhile decides as before", async () => {
    const windows = [{ lengthMs: 1_000_000, limit: 10_000 }];
    for (let n = 0; n < 2_500; n += 1) await store.consume("peak", windows, FIXTURE_TIME + n);
    const later = FIXTURE_TIME + 2_000_000;
    const limits = new BetterSqlite3(`${path}-limits`);
    const count = limits.prepare("SELECT count(*) FROM budgetkit_admissions").pluck();
    const counts: number[] = [];
    const pruning = store.pruneWindows(later, 10).finally(() => clearInterval(timer));
    const timer = setInterval(() => counts.push(Number(count.get())), 0);
    expect(await pruning).toBe(1);
    const steps = counts.filter((left, index) => left !== (counts[index - 1] ?? 2_500));
    expect(steps.slice(0, 2)).toEqual([1_500, 500]);
    expect(count.get()).toBe(0);
    limits.close();
  });

  it("trims the log of a subject whose peak is over, and counts what its window holds", async () => {
    const windows = [{ lengthMs: 1_000, limit: 5_000 }];
    for (let n = 0; n < 2_400; n += 1) await store.consume("key:1:20", windows, FIXTURE_TIME);
    for (const after of [5_000, 5_500]) await store.consume("key:1:20", windows, FIXTURE_TIME + after);
    expect(await store.pruneWindows(FIXTURE_TIME + 5_500, 10)).toBe(0);
    const limits = new BetterSqlite3(`${path}-limits`);
    expect(limits.prepare("SELECT count(*) FROM budgetkit_admissions").pluck().get()).toBe(2);
    limits.close();
    expect((await store.consume("key:1:20", windows, FIXTURE_TIME + 5_900)).windows).toEqual([
      { used: 3, freesAt: FIXTURE_TIME + 6_000 },
    ]);
  });

  it("admits exactly the limit over processes that share the file", async () => {
    const startChild = await bundlePackage("store-sqlite", folder.path);
    const script = `
      const store = sqliteStore(${JSON.stringify(path)});
      await store.migrate();
      const windows = [{ lengthMs: 3_600_000, limit: 500 }, { lengthMs: 60_000, limit: 700 }];
      let admitted = 0;
      const client = async () => {
        for (let n = 0; n < 40; n += 1) {
          if ((await store.consume("key:1:20", windows, ${FIXTURE_TIME} + n)).admitted) admitted += 1;
        }
      };
      await Promise.all(Array.from({ length: 10 }, client));
      await store.close();
      console.log(admitted);
    `;
    const children = Array.from({ length: 3 }, () => startChild(script));
    const admitted = (await Promise.all(children.map(({ output }) => output))).map(Number);
    expect(admitted.reduce((sum, count) => sum + count, 0)).toBe(500);
  }, 30_000);

  it("replaces a file that a loss of power has damaged", async () => {
    const windows = [{ lengthMs: 1_000, limit: 1 }];
    await store.consume("key:1:20", windows, FIXTURE_TIME);
    await store.close();
    for (const damaged of ["no database at all", damage(readFileSync(`${path}-limits`))]) {
      writeFileSync(`${path}-limits`, damaged);
      store = sqliteStore(path);
      await store.migrate();
      expect((await store.consume("key:1:20", windows, FIXTURE_TIME)).admitted).toBe(true);
      await store.close();
    }
    store = sqliteStore(path);
  });

  it("checks a file only when it was not closed, and replaces one that a decision finds damaged", async () => {
    const windows = [{ lengthMs: 1_000_000, limit: 3_000 }];
    for (let n = 0; n < 3_000; n += 1) await store.consume("key:1:20", windows, FIXTURE_TIME + n);
    await store.close();
    const whole = readFileSync(`${path}-limits`);
    writeFileSync(`${path}-limits`, Buffer.from(whole).fill(0x55, whole.byteLength - 40_960));
    const check = vi.spyOn(BetterSqlite3.prototype, "pragma");
    const checks = () => check.mock.calls.filter(([source]) => source.startsWith("quick_check")).length;
    store = sqliteStore(path);
    await store.migrate();
    expect(checks()).toBe(0);
    const later = FIXTURE_TIME + 3_000;
    expect((await store.consume("key:1:20", windows, later)).windows).toEqual([
      { used: 1, freesAt: later + 1_000_000 },
    ]);
    expect(checks()).toBe(1);
    const unclosed = sqliteStore(path);
    await unclosed.migrate();
    expect(checks()).toBe(2);
    await unclosed.close();
    check.mockRestore();
  });

  it("opens its file at the first decision without a migration", async () => {
    await store.close();
    store = sqliteStore(path);
    expect(existsSync(`${path}-limits`)).toBe(true);
    expect((await store.consume("key:1:20", [{ lengthMs: 1_000, limit: 1 }], FIXTURE_TIME)).admitted).toBe(true);
  });
});

/** The file with its second half overwritten. */
function damage(file: Buffer): Buffer {
  return Buffer.from(file).fill(0x55, 4_096);
}
