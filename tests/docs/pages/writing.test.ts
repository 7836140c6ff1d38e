import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { rounds, SCALE } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { builtServer } from "../../programs/build-programs.js";
import { startProgram } from "../../programs/running-program.js";
import { besideFolder, blocksOf } from "../code/page-code.js";

/** The pages, the module that their suite imports, and the groups of cases about the page's own code. */
const PAGES = [
  ["docs/writing-a-store.md", "./my-store.mjs", /integration/],
  [
    "docs/writing-an-adapter.md",
    "./budgetkit-node.mjs",
    /^(?:routing|bodies|authentication|errors|pdfs|attachment forms)$/,
  ],
] as const;

/** The suite with these groups of cases. A full run has all groups. */
function withGroups(suite: string, groups: RegExp): string {
  if (SCALE === "full") return suite;
  const chosen = `
    let depth = 0;
    function chosen(title, body) {
      if (depth === 0 && !${groups}.test(title)) return;
      describe(title, () => {
        depth += 1;
        body();
        depth -= 1;
      });
    }
  `;
  const cut = suite.replace("uite({ describe, it }", "uite({ describe: chosen, it }");
  expect(cut).not.toBe(suite);
  return chosen + cut;
}

beforeAll(async () => {
  await builtServer(); // and with it every package
});

describe.each(PAGES)("the program of %s", (path, module, groups) => {
  const page = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
  const [program = "", suite = ""] = blocksOf(page, "ts");

  it("the program of the page passes the suite, run as the page describes", async () => {
    expect(suite).toContain(`"${module}"`);
    const made = besideFolder("packages/cli", program);
    const test = besideFolder("packages/cli", withGroups(suite, groups).replace(module, `./${basename(made)}`));
    const run = startProgram(test, {}, undefined, undefined, ["--test"]);
    await run.end;
    expect(run.printed().slice(-4_000)).toMatch(/^# fail 0$/m);
    expect(Number(/^# pass (\d+)$/m.exec(run.printed())?.[1])).toBeGreaterThan(rounds({ small: 10, full: 300 }));
    expect(run.printed()).toMatch(/^# skipped 0$/m);
  });
});
