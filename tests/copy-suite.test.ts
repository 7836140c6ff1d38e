import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@budgetkit/core";
import { copyData } from "@budgetkit/store-kit";
import { openPostgresTarget } from "@budgetkit/store-postgres";
import { openSqliteSource, sqliteStore } from "@budgetkit/store-sqlite";
import { rounds, storeSuite } from "@budgetkit/testing";
import { afterAll, describe, expect, it } from "vitest";
import { testSchema } from "../packages/store-postgres/src/testing/test-schema.js";

/** The cases of the store suite about data that is kept. */
const KEPT = /comes? back as|reopened|outlive|acknowledged/;

/** A copy resets the rate-limit windows, and does not care about replaced rows. */
const LEFT_OUT = /rate-limit|in the place of another/;

/** A run has one case of this many. Each table is copied in `copy-service.test.ts` too. */
const STEP = rounds({ small: 12, full: 1 });

const READS = /^(?:find|list|count|sum|has|nextDueAt)/;

describe("a store that was copied from SQLite to Postgres", () => {
  const schema = testSchema();
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let files = 0;
  const titles: string[] = [];
  let compared = 0;
  let cases = 0;

  const runner = {
    describe: (title: string, body: () => void) => {
      titles.push(title);
      body();
      titles.pop();
    },
    it: (title: string, body: () => Promise<void>) => {
      const whole = [...titles, title].join(" ");
      if (!KEPT.test(whole) || LEFT_OUT.test(whole)) return;
      if (cases % STEP === 0) it(whole, body);
      cases += 1;
    },
  };

  storeSuite(
    runner,
    async () => {
      files += 1;
      const path = join(folder, `${files}.db`);
      const { store, asked } = recording(sqliteStore(path, { limiter: "memory" }));
      let copied: Store | null = null;

      async function copy(): Promise<Store> {
        await store.close();
        await emptied(schema);
        const report = await copyOf(path, schema);
        expect(report.tables.filter(({ isSame }) => !isSame)).toEqual([]);
        return schema.open();
      }

      return {
        store,
        reopen: async () => {
          copied = await copy();
          return copied;
        },
        close: async () => {
          if (copied !== null) return copied.close();
          const target = await copy();
          const origin = sqliteStore(path, { limiter: "memory" });
          for (const ask of asked) {
            const answer = inOrder(await ask(target));
            expect(answer).toEqual(inOrder(await ask(origin)));
            compared += 1;
          }
          await origin.close();
          return target.close();
        },
      };
    },
    { persists: true },
  );

  it("answers every read of these cases as it did before", () => {
    expect(compared).toBeGreaterThan(100 / STEP);
  });
});

/** The store, and the reads made on it, each of which can be repeated on another store. */
function recording(store: Store): { store: Store; asked: ((other: Store) => unknown)[] } {
  const asked: ((other: Store) => unknown)[] = [];
  const recorded = new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function" || !READS.test(String(name))) return method;
      return (...args: unknown[]) => {
        asked.push((other) => Reflect.apply(Reflect.get(other, name), other, args));
        return Reflect.apply(method, target, args);
      };
    },
  });
  return { store: recorded, asked };
}

/** Look-ups of several ids answer in any order. */
function inOrder(answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer;
  return answer.map((entry) => JSON.stringify(entry)).sort();
}

type TestSchema = ReturnType<typeof testSchema>;

async function emptied(schema: TestSchema): Promise<void> {
  await schema.query("DROP TABLE IF EXISTS @copies");
  await (await schema.freshStore()).close();
}

async function copyOf(path: string, { url, schema }: TestSchema) {
  const source = await openSqliteSource(path);
  const target = await openPostgresTarget(url, { schema });
  try {
    return await copyData(source, target);
  } finally {
    await target.close();
    await source.close();
  }
}
