import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../programs/running-program.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const packages = readdirSync(join(root, "packages"));

it("refuses to pack a package that is not built, and prints the command", () => {
  const folder = temporaryFolder();
  const manifest = { name: "@budgetkit/example", exports: { ".": { import: { default: "./dist/index.js" } } } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const check = () =>
    spawnSync(process.execPath, [join(root, "scripts/check-built.mjs")], { cwd: folder, encoding: "utf8" });
  const refused = check();
  expect([refused.status, refused.stderr]).toEqual([
    1,
    "@budgetkit/example has no ./dist/index.js: run pnpm build in the root of the repository before packing.\n",
  ]);
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist/index.js"), "");
  expect(check().status).toBe(0);
});

it.each(packages)("checks %s before it is packed", (name) => {
  const { scripts } = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  expect(scripts.prepack).toBe("node ../../scripts/check-built.mjs");
});
