import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { freshDatabase } from "../../packages/store-postgres/src/testing/fresh-database.js";
import { besideExample, besideFolder, blocksOf } from "../docs/code/page-code.js";
import { builtServer } from "../programs/build-programs.js";
import { startProgram, temporaryFolder } from "../programs/running-program.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs/host-transactions.md"), "utf8");
const [program = "", onPostgres = ""] = blocksOf(page, "ts");
const [, onPageOfStore = ""] = blocksOf(readFileSync(join(root, "packages/store-sqlite/README.md"), "utf8"), "ts");
const EXAMPLE = "embed-hono";
const secret = "a secret of at least thirty-two characters";

beforeAll(async () => {
  await builtServer(); // and with it every package
});

const ACTOR = `const actor = { kind: "system", businessId: "1" };`;

/** Runs code of a page in a folder, and then `script`. @returns the exit code, or the signal that ended it, and the output */
async function run(folder: string, script: string, code = program): Promise<[end: number | string, printed: string]> {
  const page = besideExample(EXAMPLE, `${ACTOR}\n${code}\n${script}`);
  const started = startProgram(page, { BUDGETKIT_SECRET: secret }, folder);
  return [await started.end, started.printed()];
}

const ITEMS = `[{ description: "Oak table", quantity: 1, unitPrice: 450 }]`;

/** Prints what there is of orders, of budgets, and of both of one name. */
const COUNT = `
  const orders = database.prepare("SELECT budget FROM orders").pluck().all();
  const { data } = (await service.budgets.list(actor, { limit: 100 }))._unsafeUnwrap();
  const events = (await service.events.list(actor, { limit: 100 }))._unsafeUnwrap().data;
  const both = orders.filter((id) => data.some((budget) => budget.id === id));
  console.log(JSON.stringify([orders.length, data.length, events.length, both.length]));
`;

/** Its programs begin their transactions on better-sqlite3. */
const isOnNodeSqlite = process.env.TEST_SQLITE_DRIVER === "node:sqlite";

describe.skipIf(isOnNodeSqlite)("an application with a transaction of its own", () => {
  it("an application commits its order and the budget in its own transaction, among other writers", async () => {
    const folder = temporaryFolder();
    const script = `
      const heard = [];
      service.on("budget.created", ({ subjectId }) => heard.push(subjectId));
      const input = { customerId: "bruno", items: ${ITEMS} };
      const placed = Array.from({ length: 10 }, () => placeOrder(actor, "ana", ${ITEMS}));
      const others = Array.from({ length: 10 }, () => service.budgets.create(actor, input));
      const refused = await placeOrder(actor, "carla", []).catch((error) => error.message);
      await Promise.all([...placed, ...others]);
      console.log(refused, heard.length, new Set(heard).size);
      ${COUNT}
      await service.stop();
    `;
    expect(await run(folder, script)).toEqual([0, "the order was refused: invalid 20 20\n[10,20,20,10]\n"]);
  });

  it("the page of the store shows a short transaction of an application", async () => {
    const before = `
      import { createBudgetService } from "@budgetkit/core";
      import { sqliteStore } from "@budgetkit/store-sqlite";
      const service = createBudgetService({ store: sqliteStore("budgets.db"), secret: process.env.BUDGETKIT_SECRET });
      await service.start();
      const input = { customerId: "ana", items: ${ITEMS} };
      new Database("budgets.db").exec("CREATE TABLE orders (budget TEXT)");
    `;
    const script = `${COUNT} await service.stop();`;
    expect(await run(temporaryFolder(), script, `${before}\n${onPageOfStore}`)).toEqual([0, "[1,1,1,1]\n"]);
  });

  /** A line of the page before which the process is killed, and the counts that it leaves. */
  const DEATHS: readonly (readonly [line: RegExp, left: string])[] = [
    [/^.*INSERT INTO orders.*$/m, "[1,1,1,1]\n"],
    [/^.*exec\("COMMIT"\).*$/m, "[1,1,1,1]\n"],
    [/^.*return outcome.*$/m, "[2,2,2,2]\n"], // after the commit
  ];
  it("a killed application has both order and budget or neither, before the order, the commit or after it", async () => {
    const folder = temporaryFolder();
    const kill = `if (isDying) { process.kill(process.pid, "SIGKILL"); await new Promise(() => {}); }`;
    const [placed, placedLast] = [
      `await placeOrder(actor, "ana", ${ITEMS});`,
      `await placeOrder(actor, "bruno", ${ITEMS});`,
    ];
    let before = placed;
    let expected = "[1,1,1,1]\n";
    for (const [line, left] of DEATHS) {
      const dying = program.replace(line, (found) => `${kill}\n${found}`);
      expect(dying).not.toBe(program);
      const script = `${before}\n${COUNT}\nisDying = true;\n${placedLast}`;
      expect(await run(folder, script, `let isDying = false;\n${dying}`)).toEqual(["SIGKILL", expected]);
      before = ""; // the next process counts what this one has left
      expected = left;
    }
    expect(await run(folder, `${COUNT} await service.stop();`)).toEqual([0, expected]);
  });
});

describe("an application with a transaction of its own on PostgreSQL", () => {
  it("an application on PostgreSQL commits its order and the budget together, or neither", async () => {
    const { url } = await freshDatabase();
    const script = `
      await service.start();
      await pool.query("CREATE TABLE orders (customer text NOT NULL, budget text)");
      const ids = await Promise.all(["a", "b", "c"].map((name) => placeOrder(actor, "ana", name)));
      const refused = await placeOrder(actor, "ana", "").catch((error) => error.message);
      await pool.query("ALTER TABLE orders ADD CHECK (customer <> 'bruno')");
      const failed = await placeOrder(actor, "bruno", "d").catch((error) => error.constraint !== undefined);
      const { rows } = await pool.query("SELECT budget FROM orders");
      const { data } = (await service.budgets.list(actor, { limit: 100 }))._unsafeUnwrap();
      const same = rows.every(({ budget }) => data.some(({ id }) => id === budget));
      console.log(JSON.stringify([ids.length, refused, failed, rows.length, data.length, same]));
      process.exit(0);
    `;
    const code = besideFolder("packages/cli", `${ACTOR}\n${onPostgres}\n${script}`);
    const started = startProgram(code, { BUDGETKIT_SECRET: secret, DATABASE_URL: url }, temporaryFolder());
    expect(await started.end, started.printed()).toBe(0);
    expect(JSON.parse(started.printed())).toEqual([3, "the order was refused: invalid", true, 3, 3, true]);
  });
});
