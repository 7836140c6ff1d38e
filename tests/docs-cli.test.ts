import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { CSV_COLUMNS } from "../packages/cli/src/export/csv-columns.js";
import { builtCommandLine, installCommand } from "./command-line.js";
import { blocksOf } from "./page-code.js";
import { paste, startProgram, temporaryFolder } from "./running-program.js";

vi.setConfig({ testTimeout: 300_000 });

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(root, "packages/cli/README.md"), "utf8");
const [, serving = "", ...others] = blocksOf(page, "sh");

let main = "";
beforeAll(async () => {
  main = await builtCommandLine();
}, 180_000);

function installation() {
  const folder = temporaryFolder();
  installCommand(main, folder);
  return { folder, environment: { PATH: `${folder}:${process.env.PATH}` } };
}

describe("the page of the command line", () => {
  it("has a server that serves", async () => {
    const { folder, environment } = installation();
    writeFileSync(join(folder, "serve.sh"), `exec ${serving.replace("8080", "0")}`);
    const server = startProgram(join(folder, "serve.sh"), environment, folder, "sh");
    expect((await fetch(`${await server.url}/healthz`)).status).toBe(200);
    server.signal("SIGTERM");
    expect(await server.end).toBe(0);
  });

  it("has lines for a shell that work one after the other", async () => {
    const { folder, environment } = installation();
    const lines = `set -e\ncd ${folder}\nexec 2> notes.txt\n${others.join("\n")}\necho done\n`;
    const said = await paste(lines, environment);
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toMatch(/^(?:The key \d+ is shown this once\.\n){2}$/);
    expect(said).toContain("The schema is up to date");
    expect(said).toMatch(/^ok {7}schema: is up to date$/m);
    expect(said).toMatch(/^bgk_live_\S+$/m);
    expect(said).toMatch(/ 0 in conflict, 0 refused, .*\ndone\n$/);
    expect(readFileSync(join(folder, "budgets.csv"), "utf8").split("\r\n")).toHaveLength(
      1 + 1 + readFileSync(join(folder, "business.jsonl"), "utf8").split('{"type":"budget"').length - 1,
    );
  });

  it("lists the columns of each table", () => {
    for (const [table, columns] of Object.entries(CSV_COLUMNS)) {
      expect(page).toContain(`| \`${table}\` | ${Object.keys(columns).join(", ")} |`);
    }
  });
});
