import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rounds } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../simulation/bundle.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bugs = join(root, "simulation/bugs");
/** The nightly workflow runs 100,000 seeds beside the full tests. */
const SEEDS = rounds({ small: 6, full: 500 });
const SQLITE_SEEDS = rounds({ small: 2, full: 150 });

function run(path: string, ...options: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...options], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, text: `${stdout}${stderr}` };
}

describe("the simulation of the whole service", () => {
  const folder = mkdtempSync(join(tmpdir(), "simulation-test-"));
  const program = join(folder, "simulation.mjs");
  const fingerprintOf = (seed: number, text: string) => new RegExp(`^seed ${seed} [0-9a-f]{8}$`, "m").exec(text)?.[0];

  beforeAll(() => bundle(program));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("finds no violation on the memory store, and does the same again for the same seed", () => {
    const { status, text } = run(program, "--seeds", String(SEEDS), "--fingerprints");
    expect(text).toContain("no violation");
    expect(status).toBe(0);
    const again = run(program, "--seed", "3", "--seeds", "1", "--fingerprints").text;
    expect(fingerprintOf(3, again)).toMatch(/^seed 3/);
    expect(fingerprintOf(3, again)).toBe(fingerprintOf(3, text));
  });

  it("finds no violation on SQLite", () => {
    const { status, text } = run(program, "--seeds", String(SQLITE_SEEDS), "--store", "sqlite");
    expect(text).toContain("no violation");
    expect(status).toBe(0);
  });

  it("finds a planted bug, and shows the smallest run that leads to it", () => {
    const { status, text } = run(join(root, "simulation/find-bugs.mjs"), "--explain", "tax-is-cut-off");
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
