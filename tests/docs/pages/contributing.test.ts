import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { pageTable } from "../code/page-table.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

/** Paths of the test files below a folder, relative to the root. */
function testFilesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => join(folder, path));
}

it("CONTRIBUTING.md lists every test that makes fewer rounds in a small run", () => {
  const sources = readdirSync(join(root, "packages")).map((name) => join("packages", name, "src"));
  const shortened = ["tests", ...sources]
    .flatMap(testFilesOf)
    .filter((path) => /\brounds\(\{|\bSCALE === /.test(readFileSync(join(root, path), "utf8")));
  const listed = pageTable(page, "\n### What a small run leaves out\n")
    .flatMap(([tests = ""]) => [...tests.matchAll(/`([^`]+\.test\.ts)`/g)])
    .map(([, name = ""]) => shortened.find((path) => path.endsWith(`/${name}`) || path === name) ?? name);
  expect([...new Set(listed)].sort()).toEqual(shortened.sort());
});
