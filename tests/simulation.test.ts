import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rounds } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const bugs = join(root, "simulation/bugs");
/** The nightly workflow runs 100,000 seeds beside the full tests. */
const SEEDS = rounds({ small: 15, full: 500 });
const SQLITE_SEEDS = rounds({ small: 5, full: 150 });

function run(program: string, ...options: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program), ...options], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, text: `${stdout}${stderr}` };
}

describe("the simulation of the whole service", () => {
  it("finds no violation on the memory store", () => {
    const { status, text } = run("simulation/run.mjs", "--seeds", String(SEEDS));
    expect(text).toContain("no violation");
    expect(status).toBe(0);
  });

  it("finds no violation on SQLite", () => {
    const { status, text } = run("simulation/run.mjs", "--seeds", String(SQLITE_SEEDS), "--store", "sqlite");
    expect(text).toContain("no violation");
    expect(status).toBe(0);
  });

  it("does the same again for the same seed", () => {
    const traceOf = () => run("simulation/run.mjs", "--seed", "3", "--seeds", "1", "--trace").text.split("1 seeds")[0];
    const trace = traceOf();
    expect(trace?.match(/fingerprint [0-9a-f]{8}/g)).toHaveLength(1);
    expect(traceOf()).toBe(trace);
  });

  it("finds a planted bug, and shows the smallest run that leads to it", () => {
    const { status, text } = run("simulation/find-bugs.mjs", "--explain", "tax-is-cut-off");
    const [, smallest = ""] = text.split(/The smallest run that breaks it:|Repeat it:/);
    expect(smallest).toMatch(/^ +\d+ {2}.*VIOLATION +the amounts are exact/m);
    expect(new Set(smallest.match(/client \d+/g)).size).toBe(1);
    expect(smallest).not.toContain("(the store:");
    expect(text).toContain("Every bug was found.");
    expect(status).toBe(0);
  });
});

describe("the planted bugs", () => {
  it.each(readdirSync(bugs))("%s still applies", (name) => {
    const { status, stderr } = spawnSync("git", ["apply", "--check", join(bugs, name)], {
      cwd: root,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  it("are 30 or more", () => {
    expect(readdirSync(bugs).length).toBeGreaterThanOrEqual(30);
  });
});
