import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { builtServer } from "./build-programs.js";
import { besideExample, blocksOf } from "./page-code.js";
import { startProgram } from "./running-program.js";

vi.setConfig({ testTimeout: 300_000 });

const PAGES = [
  ["docs/writing-a-store.md", "./my-store.mjs"],
  ["docs/writing-an-adapter.md", "./budgetkit-node.mjs"],
] as const;

beforeAll(async () => {
  await builtServer(); // and with it every package
}, 180_000);

describe.each(PAGES)("the program of %s", (path, module) => {
  const page = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  const [program = "", suite = ""] = blocksOf(page, "ts");

  it("passes the suite, run as the page says", async () => {
    expect(suite).toContain(`"${module}"`);
    const made = besideExample("embed-hono", program);
    const test = besideExample("embed-hono", suite.replace(module, `./${basename(made)}`));
    const run = startProgram(test, {}, undefined, undefined, ["--test"]);
    await run.end;
    expect(run.printed().slice(-4_000)).toMatch(/^# fail 0$/m);
    expect(Number(/^# pass (\d+)$/m.exec(run.printed())?.[1])).toBeGreaterThan(300);
    expect(run.printed()).toMatch(/^# skipped 0$/m);
  });
});
