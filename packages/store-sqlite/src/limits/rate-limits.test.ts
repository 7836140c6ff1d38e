import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createMemoryRateLimitStore, type Store } from "@budgetkit/core/store";
import { drawInteger, drawOne, FIXTURE_TIME, rounds, seededRandom } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bundlePackage } from "../../../../tests/programs/child-process.js";
import { connect } from "../engine/connection.js";
import { openDatabase } from "../engine/database.js";
import { grouped } from "../engine/grouped.js";
import { migrate } from "../engine/migrations.js";
import { sqliteStore } from "../index.js";
import { LIMIT_MIGRATIONS } from "../schema.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";
import { limitFile } from "./limit-file.js";
import { sqliteRateLimits } from "./rate-limits.js";

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

  it("the file limiter decides like the in-memory limiter, for any clock and any limits", async () => {
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

  it("the file limiter decides over two processes as over one, whichever decides, counts and prunes", async () => {
    const database = openDatabase(path);
    const noTimePasses = () => 0;
    // Two connections, as two processes have them.
    const stores = [1, 2].map(() => limitFile(`${path}-limits`, database, noTimePasses));
    for (const limits of stores) await limits.countConsumed("any", 1_000, FIXTURE_TIME);
    const memory = createMemoryRateLimitStore();
    const random = seededRandom(11);
    let now = FIXTURE_TIME;
    for (let step = 0; step < rounds({ small: 1_500, full: 20_000 }); step += 1) {
      const turn = drawOne(random, stores);
      now += drawInteger(random, 5) === 0 ? drawInteger(random, 400) - 200 : drawInteger(random, 40);
      if (drawInteger(random, 100) === 0) now -= 900 + drawInteger(random, 200); // about as far as the longest window
      if (drawInteger(random, 50) === 0) await turn.pruneWindows(now - 1_000, 10);
      const windows = [
        { lengthMs: 1_000, limit: 6 + drawInteger(random, 40) },
        { lengthMs: 100, limit: 1 + drawInteger(random, 8) },
      ];
      const subjects = Array.from({ length: 1 + drawInteger(random, 6) }, () => `key:1:${drawInteger(random, 3)}`);
      const decided = await Promise.all(subjects.map((subject) => turn.consume(subject, windows, now)));
      const expected = await Promise.all(subjects.map((subject) => memory.consume(subject, windows, now)));
      expect(decided).toEqual(expected);
      const [subject = ""] = subjects;
      const counted = await drawOne(random, stores).countConsumed(subject, 1_000, now);
      expect(counted).toBe(await memory.countConsumed(subject, 1_000, now));
    }
    for (const limits of stores) await limits.close();
    database.close();
  });

  it("the file limiter writes one row for what it decides in one turn", async () => {
    const windows = [{ lengthMs: 1_000, limit: 40 }];
    await Promise.all(Array.from({ length: 50 }, () => store.consume("key:1:20", windows, FIXTURE_TIME)));
    const limits = new BetterSqlite3(`${path}-limits`);
    const [run, ...others] = limits.prepare("SELECT last, json_array_length(times) AS times FROM budgetkit_runs").all();
    limits.close();
    expect([run, others]).toEqual([{ last: 40, times: 40 }, []]);
  });

  it("the file limiter forgets what it decided when the commit fails", async () => {
    const database = new BetterSqlite3(folder.file("limits.db"));
    migrate(database, LIMIT_MIGRATIONS);
    let isFull = false;
    const prepare = (sql: string) => {
      const statement = database.prepare(sql);
      const commit = () => {
        if (isFull) throw Object.assign(new Error("the disk is full"), { code: "SQLITE_FULL" });
        return statement.run();
      };
      return sql === "COMMIT" ? new Proxy(statement, { get: () => commit }) : statement;
    };
    const plain = connect({
      name: database.name,
      memory: database.memory,
      get inTransaction() {
        return database.inTransaction;
      },
      prepare,
      exec: (sql) => database.exec(sql),
      pragma: (source, options) => database.pragma(source, options),
      close: () => database.close(),
    });
    const limits = sqliteRateLimits(grouped(plain));
    const windows = [{ lengthMs: 1_000, limit: 3 }];
    const usedOf = async () => (await limits.consume("key:1:20", windows, FIXTURE_TIME)).used;
    expect(await usedOf()).toBe(1);
    isFull = true;
    await expect(usedOf()).rejects.toThrow("the disk is full");
    isFull = false;
    expect(await usedOf()).toBe(2);
    database.close();
  });

  it("the file limiter keeps no more of a busy subject than its windows count, give or take a sweep", async () => {
    const windows = [{ lengthMs: 100, limit: 1_000 }];
    for (let n = 0; n < 1_000; n += 1) await store.consume("key:1:20", windows, FIXTURE_TIME + n);
    const limits = new BetterSqlite3(`${path}-limits`);
    const rows = Number(limits.prepare("SELECT count(*) FROM budgetkit_runs").pluck().get());
    limits.close();
    expect(rows).toBeGreaterThanOrEqual(100);
    expect(rows).toBeLessThanOrEqual(132);
  });

  it("the file limiter forgets a subject that was busy for long, and not before it is idle", async () => {
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
    expect(limits.prepare("SELECT count(*) FROM budgetkit_runs").pluck().get()).toBe(0);
    expect(limits.prepare("SELECT count(*) FROM budgetkit_subjects").pluck().get()).toBe(0);
    limits.close();
  });

  it("the file limiter deletes a large log in small transactions, and decides as before meanwhile", async () => {
    const windows = [{ lengthMs: 1_000_000, limit: 10_000 }];
    for (let n = 0; n < 2_500; n += 1) await store.consume("peak", windows, FIXTURE_TIME + n);
    const later = FIXTURE_TIME + 2_000_000;
    const limits = new BetterSqlite3(`${path}-limits`);
    const count = limits.prepare("SELECT count(*) FROM budgetkit_runs").pluck();
    const counts: number[] = [];
    let isPruning = true;
    const pruning = store.pruneWindows(later, 10).finally(() => {
      isPruning = false;
    });
    while (isPruning) {
      await nextTurn(); // no two transactions are of one turn
      counts.push(Number(count.get()));
    }
    expect(await pruning).toBe(1);
    const steps = counts.filter((left, index) => left !== (counts[index - 1] ?? 2_500));
    expect(steps.slice(0, 2)).toEqual([1_500, 500]);
    expect(count.get()).toBe(0);
    limits.close();
  });

  it("the file limiter trims the log of a subject whose peak is over, and counts what its window holds", async () => {
    const windows = [{ lengthMs: 1_000, limit: 5_000 }];
    for (let n = 0; n < 2_400; n += 1) await store.consume("key:1:20", windows, FIXTURE_TIME);
    for (const after of [5_000, 5_500]) await store.consume("key:1:20", windows, FIXTURE_TIME + after);
    expect(await store.pruneWindows(FIXTURE_TIME + 5_500, 10)).toBe(0);
    const limits = new BetterSqlite3(`${path}-limits`);
    expect(limits.prepare("SELECT count(*) FROM budgetkit_runs").pluck().get()).toBe(2);
    limits.close();
    expect(await store.consume("key:1:20", windows, FIXTURE_TIME + 5_900)).toEqual({
      used: 3,
      freesAt: FIXTURE_TIME + 6_000,
      refusal: null,
    });
  });

  it("the file limiter admits exactly the limit over processes that share the file", async () => {
    const startChild = await bundlePackage("store-sqlite", folder.path);
    const script = `
      const store = sqliteStore(${JSON.stringify(path)});
      await store.migrate();
      const windows = [{ lengthMs: 3_600_000, limit: 500 }, { lengthMs: 60_000, limit: 700 }];
      let admitted = 0;
      const client = async () => {
        for (let n = 0; n < 40; n += 1) {
          if ((await store.consume("key:1:20", windows, ${FIXTURE_TIME} + n)).refusal === null) admitted += 1;
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

  it("the file limiter loses no admission of a killed process, and admits no more than the limit", async () => {
    const startChild = await bundlePackage("store-sqlite", folder.path);
    const windows = [{ lengthMs: 3_600_000, limit: 1_000_000 }];
    const script = `
      import { writeSync } from "node:fs";
      const store = sqliteStore(${JSON.stringify(path)});
      await store.migrate();
      let granted = 0;
      const client = async () => {
        while ((await store.consume("key:1:20", ${JSON.stringify(windows)}, ${FIXTURE_TIME})).refusal === null) {
          writeSync(1, "x");
          granted += 1;
          if (granted === 200) process.send("many");
        }
      };
      process.on("message", () => {
        for (let n = 0; n < 10; n += 1) client();
      });
    `;
    const children = Array.from({ length: 2 }, () => startChild(script));
    const granted = await Promise.all(
      children.map(async (child) => {
        await child.ask("begin");
        await child.kill();
        return (await child.output).length;
      }),
    );
    const acknowledged = granted.reduce((sum, count) => sum + count, 0);
    const used = await store.countConsumed("key:1:20", 3_600_000, FIXTURE_TIME);
    expect(used).toBeGreaterThanOrEqual(acknowledged);
    expect(used).toBeLessThanOrEqual(acknowledged + children.length * 10);
    const tighter = [{ lengthMs: 3_600_000, limit: used + 50 }];
    const rest = await Promise.all(Array.from({ length: 200 }, () => store.consume("key:1:20", tighter, FIXTURE_TIME)));
    expect(rest.filter(({ refusal }) => refusal === null)).toHaveLength(50);
  }, 30_000);

  it("the file limiter replaces a file that a power loss has damaged", async () => {
    const windows = [{ lengthMs: 1_000, limit: 1 }];
    await store.consume("key:1:20", windows, FIXTURE_TIME);
    await store.close();
    for (const damaged of ["no database at all", damage(readFileSync(`${path}-limits`))]) {
      writeFileSync(`${path}-limits`, damaged);
      store = sqliteStore(path);
      await store.migrate();
      expect((await store.consume("key:1:20", windows, FIXTURE_TIME)).refusal).toBeNull();
      await store.close();
    }
    store = sqliteStore(path);
  });

  it.skipIf(process.env.TEST_SQLITE_DRIVER === "node:sqlite")(
    "the file limiter checks a file only when it was not closed, and replaces one found damaged",
    async () => {
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
      expect(await store.consume("key:1:20", windows, later)).toEqual({
        used: 1,
        freesAt: later + 1_000_000,
        refusal: null,
      });
      expect(checks()).toBe(1);
      const unclosed = sqliteStore(path);
      await unclosed.migrate();
      expect(checks()).toBe(2);
      await unclosed.close();
      check.mockRestore();
    },
  );

  it("the file limiter opens its file at the first decision without a migration", async () => {
    await store.close();
    store = sqliteStore(path);
    expect(existsSync(`${path}-limits`)).toBe(true);
    expect((await store.consume("key:1:20", [{ lengthMs: 1_000, limit: 1 }], FIXTURE_TIME)).refusal).toBeNull();
  });
});

/** The file with its second half overwritten. */
function damage(file: Buffer): Buffer {
  return Buffer.from(file).fill(0x55, 4_096);
}
