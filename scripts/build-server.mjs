// Builds the command line and the packages that it and its tests use, without types. One process does it: to start tsup
// for each package takes several times as long.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import { root } from "./pnpm.mjs";

const SCOPE = "@budgetkit/";

process.env.BUILD_FOR_HERE = "true"; // what no other machine downloads need not be as small as possible

const { name, dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, "packages/cli/package.json"), "utf8"),
);
const names = [...Object.keys({ ...dependencies, ...devDependencies }), name];
for (const each of names.filter((other) => other.startsWith(SCOPE))) {
  const folder = join(root, "packages", each.slice(SCOPE.length));
  process.chdir(folder); // where tsup looks for the settings of the package
  const esbuildOptions = (options) => {
    options.absWorkingDir = folder;
  };
  await build({ dts: false, esbuildOptions });
}
