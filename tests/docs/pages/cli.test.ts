import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createBudgetService } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { SCALE } from "@budgetkit/testing";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { CSV_COLUMNS } from "../../../packages/cli/src/export/csv-columns.js";
import { builtCommandLine, installCommand, runCommand } from "../../programs/command-line.js";
import { paste, startProgram, temporaryFolder } from "../../programs/running-program.js";
import { blocksOf } from "../code/page-code.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(root, "packages/cli/README.md"), "utf8");
const [, serving = "", ...others] = blocksOf(page, "sh");

let main = "";
beforeAll(async () => {
  main = await builtCommandLine();
});

function installation() {
  const folder = temporaryFolder();
  installCommand(main, folder);
  return { folder, environment: { PATH: `${folder}:${process.env.PATH}` } };
}

/** Makes a call in its folder: files with the arguments and the input, which the answer joins with what was printed. */
const FORWARDER = `#!/bin/sh
call=$(mktemp -d calls/XXXXXX)
printf '%s\\n' "$@" > "$call/args"
case "$1" in user) cat > "$call/input" ;; *) : > "$call/input" ;; esac
curl -sS --unix-socket calls/socket "http://test/$call" -H "database: $DATABASE_URL"
cat "$call/complaints" >&2
cat "$call/out"
exit "$(cat "$call/code")"
`;

/** A program `budgetkit` that this process answers, which takes a tenth of the time of the real one. */
async function forwardingInstallation() {
  const { folder, environment } = installation();
  mkdirSync(join(folder, "calls"));
  writeFileSync(join(folder, "budgetkit"), FORWARDER);
  const server = createServer(async ({ url = "", headers }, response) => {
    const file = (name: string) => join(folder, url, name);
    const args = readFileSync(file("args"), "utf8").split("\n").slice(0, -1);
    const surroundings = { folder, environment: { DATABASE_URL: String(headers.database) } };
    const run = await runCommand(args, { ...surroundings, input: readFileSync(file("input"), "utf8") });
    for (const [name, value] of Object.entries(run)) writeFileSync(file(name), String(value));
    response.end();
  });
  await once(server.listen(join(folder, "calls/socket")), "listening");
  onTestFinished(() => void server.close());
  return { folder, environment };
}

/** The lines with a few budgets instead of the year of a business, which takes longer than all else. */
async function withFewBudgets(lines: string, folder: string): Promise<string> {
  const store = sqliteStore(join(folder, "few.db"));
  const service = createBudgetService({ store, secret: "a secret for tests that is long enough" });
  const { id: businessId } = (await service.businesses.create({ name: "Driftwood" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId } as const;
  (await service.customers.create(actor, { id: "ana", name: "Ana" }))._unsafeUnwrap();
  const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
  for (let made = 0; made < 3; made += 1)
    (await service.budgets.create(actor, { customerId: "ana", items }))._unsafeUnwrap();
  await service.stop();
  await store.close();
  const surroundings = { folder, environment: { DATABASE_URL: "file:./few.db" } };
  const { code } = await runCommand(["export", "--business", businessId, "--output", "few.jsonl"], surroundings);
  expect(code).toBe(0);
  const shortened = lines.replace(/^budgetkit demo (--business \S+) .*$/m, "budgetkit import few.jsonl $1");
  expect(shortened).not.toBe(lines);
  return shortened;
}

describe("the page of the command line", () => {
  it("the serve command in docs/cli.md starts a server that serves", async () => {
    const { folder, environment } = installation();
    writeFileSync(join(folder, "serve.sh"), `exec ${serving.replace("8080", "0")}`);
    const server = startProgram(join(folder, "serve.sh"), environment, folder, "sh");
    expect((await fetch(`${await server.url}/healthz`)).status).toBe(200);
    server.signal("SIGTERM");
    expect(await server.end).toBe(0);
  });

  // In a small run cli/cli.test.ts proves that the program passes on arguments, signals and the exit code, and plays the demo.
  it("the shell lines in docs/cli.md work one after the other", async () => {
    const { folder, environment } = SCALE === "full" ? installation() : await forwardingInstallation();
    const all = others.join("\n");
    const lines = `set -e\ncd ${folder}\nexec 2> notes.txt\n${SCALE === "full" ? all : await withFewBudgets(all, folder)}\necho done\n`;
    const said = await paste(lines, environment);
    const notes = readFileSync(join(folder, "notes.txt"), "utf8");
    expect(notes).toMatch(
      /^(?:The link of \S+ works once, until \S+\.\n){2}(?:The key \d+ is shown this once\.\n){2}$/,
    );
    expect(said).toContain("The schema is up to date");
    expect(said).toMatch(/^ok {7}schema: is up to date$/m);
    expect(said).toMatch(/^bgk_live_\S+$/m);
    expect(said).toMatch(/ 0 in conflict, 0 refused, .*\ndone\n$/);
    expect(readFileSync(join(folder, "budgets.csv"), "utf8").split("\r\n")).toHaveLength(
      1 + 1 + readFileSync(join(folder, "business.jsonl"), "utf8").split('{"type":"budget"').length - 1,
    );
    expect(readFileSync(join(folder, "quote.pdf"), "latin1")).toMatch(/^%PDF-/);
  });

  it("docs/cli.md lists the columns of each table", () => {
    for (const [table, columns] of Object.entries(CSV_COLUMNS)) {
      expect(page).toContain(`| \`${table}\` | ${Object.keys(columns).join(", ")} |`);
    }
  });
});
