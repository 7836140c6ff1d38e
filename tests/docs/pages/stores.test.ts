import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createBudgetService } from "@budgetkit/core";
import { insertBusinessCommit } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { aBusiness } from "@budgetkit/testing";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { builtServer } from "../../programs/build-programs.js";
import { paste, startProgram, temporaryFolder } from "../../programs/running-program.js";
import { besideExample, blocksOf } from "../code/page-code.js";

const page = readFileSync(new URL("../../../docs/stores.md", import.meta.url), "utf8");
const [sqliteLines = ""] = blocksOf(page, "sh");
const [backUp = "", skipIds = ""] = blocksOf(page, "ts");
const hasSqlite = spawnSync("sqlite3", ["--version"]).status === 0;
const actor = { kind: "system", businessId: "1" } as const;

beforeAll(async () => {
  await builtServer(); // and with it every package
});

describe("docs/stores.md", () => {
  it.skipIf(!hasSqlite)("the shell lines in docs/stores.md back a file up while a service has it open", async () => {
    const { folder, create } = serving();
    const id = await create();
    expect(await paste(`cd ${folder}\n${sqliteLines}`)).toBe("ok\n");
    for (const copy of ["copy.db", "smaller.db"]) {
      expect(statSync(join(folder, copy)).mode & 0o777).toBe(0o600);
      expect(await idsIn(join(folder, copy))).toEqual([id]);
    }
  });

  it("the backup of the program in docs/stores.md replaces the file, and repeats no id", async () => {
    const { folder, create, end } = serving();
    const kept = await create();
    await run(backUp, folder);
    expect(statSync(join(folder, "copy.db")).mode & 0o777).toBe(0o600);
    const lost = await create();
    await end();
    const path = join(folder, "budgets.db");
    for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
    copyFileSync(join(folder, "copy.db"), path);
    expect(await idsIn(path)).toEqual([kept]);

    await run(skipIds, folder);
    const next = Number(await serving(folder).create());
    expect(next).toBeGreaterThan(Number(lost) + 900_000);
  });

  it("the program in docs/stores.md backs up a file that no process has open", async () => {
    const { folder, create, end } = serving();
    const id = await create();
    await end();
    await run(backUp, folder);
    expect(await idsIn(join(folder, "copy.db"))).toEqual([id]);
  });
});

function serving(folder = temporaryFolder()) {
  const store = sqliteStore(join(folder, "budgets.db"));
  const service = createBudgetService({ store, secret: "s".repeat(32) });
  onTestFinished(() => store.close());
  const create = async () => {
    await store.migrate();
    if ((await store.findBusiness(actor.businessId)) === null) await store.commit(insertBusinessCommit(aBusiness()));
    const items = [{ description: "Table", quantity: 1, unitPrice: 450 }];
    return (await service.budgets.create(actor, { customerId: "ana", items }))._unsafeUnwrap().id;
  };
  return { folder, create, end: () => store.close() };
}

async function idsIn(path: string): Promise<string[]> {
  const store = sqliteStore(path);
  const service = createBudgetService({ store, secret: "s".repeat(32) });
  const list = (await service.budgets.list(actor, {}))._unsafeUnwrap();
  await store.close();
  return list.data.map(({ id }) => id);
}

async function run(code: string, folder: string): Promise<void> {
  const program = startProgram(besideExample("embed-hono", code), {}, folder);
  expect(await program.end, program.printed()).toBe(0);
}
