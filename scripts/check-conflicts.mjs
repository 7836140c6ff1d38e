// Fails when a tracked text file has a conflict marker of git. Usage: node scripts/check-conflicts.mjs [a folder of another repository]
import { spawnSync } from "node:child_process";
import { root } from "./pnpm.mjs";

const [folder = root] = process.argv.slice(2);
const marker = "^(<<<<<<<|>>>>>>>|\\|{7})( |\r?$)|^=======\r?$";
const found = spawnSync("git", ["grep", "--line-number", "-I", "--extended-regexp", "-e", marker], {
  cwd: folder,
  encoding: "utf8",
});
process.stdout.write(found.stdout);
process.stderr.write(found.stderr);
process.exitCode = found.status === 1 ? 0 : 1; // git grep: 0 = found, 1 = none, else it could not search
