import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { rounds } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../simulation/bundle.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bugs = join(root, "simulation/bugs");
/** The nightly workflow runs many more seeds beside the full tests. */
const SEEDS = rounds({ small: 6, full: 500 });
const SQLITE_SEEDS = rounds({ small: 3, full: 150 }); // the third has a host with transactions
/** Small worlds of crashing processes. The run fails too when too little happens in them. */
const DELIVERY_SEEDS = rounds({ small: 160, full: 2_000 });
const SQLITE_DELIVERY_SEEDS = rounds({ small: 6, full: 500 });

/** Leaves this process free meanwhile: the test runner gives up a worker that does not answer for a minute. */
async function run(path: string, ...options: string[]): Promise<{ status: number | null; text: string }> {
  const child = spawn(process.execPath, [path, ...options], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const [out, error, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status, text: `${out}${error}` };
}

describe("the simulation of the whole service", () => {
  const folder = mkdtempSync(join(tmpdir(), "simulation-test-"));
  const program = join(folder, "simulation.mjs");
  const fingerprintOf = (seed: number, text: string) => new RegExp(`^seed ${seed} [0-9a-f]{8}$`, "m").exec(text)?.[0];

  beforeAll(() => bundle(program));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("finds no violation on the memory store, and does the same again for the same seed", async () => {
    const { status, text } = await run(program, "--seeds", String(SEEDS), "--fingerprints");
    expect(text).toContain("no violation");
    expect(status).toBe(0);
    const again = (await run(program, "--seed", "3", "--seeds", "1", "--fingerprints")).text;
    expect(fingerprintOf(3, again)).toMatch(/^seed 3/);
    expect(fingerprintOf(3, again)).toBe(fingerprintOf(3, text));
  });

  it("finds no violation on SQLite, in memory and in a file", async () => {
    const { status, text } = await run(program, "--seeds", String(SQLITE_SEEDS), "--store", "sqlite");
    expect(text).toContain("no violation");
    expect(status).toBe(0);
  });

  it.each([
    ["memory", DELIVERY_SEEDS],
    ["sqlite", SQLITE_DELIVERY_SEEDS],
  ])("delivers each event once, in order and in time while processes crash, on the %s store", async (store, seeds) => {
    const { status, text } = await run(program, "--world", "deliveries", "--seeds", String(seeds), "--store", store);
    expect(text).toContain("no violation");
    expect(text).not.toContain("too seldom");
    expect(status).toBe(0);
  });

  it("finds a planted bug, and shows the smallest run that leads to it", async () => {
    const { status, text } = await run(join(root, "simulation/find-bugs.mjs"), "--explain", "tax-is-cut-off");
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

  it("the planted bugs number 30 or more", () => {
    expect(readdirSync(bugs).length).toBeGreaterThanOrEqual(30);
  });
});
