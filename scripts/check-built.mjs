// Runs before a package is packed: a tarball without the built files would install and then fail.
import { existsSync, readFileSync } from "node:fs";

const { name, exports: entries = {}, bin = {} } = JSON.parse(readFileSync("package.json", "utf8"));
const missing = filesIn([entries, bin]).find((file) => !existsSync(file));
if (missing !== undefined) {
  console.error(`${name} has no ${missing}: run pnpm build in the root of the repository before packing.`);
  process.exitCode = 1;
}

/** Every path in a value of the manifest, however deep. */
function filesIn(value) {
  return typeof value === "string" ? [value] : Object.values(value).flatMap(filesIn);
}
