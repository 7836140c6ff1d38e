// Fails when a tracked text file has a conflict marker of git.
import { spawnSync } from "node:child_process";
import { root } from "./pnpm.mjs";

const marker = "^(<<<<<<<|>>>>>>>|\\|{7})( |$)|^=======$";
const found = spawnSync("git", ["grep", "--line-number", "-I", "--extended-regexp", "-e", marker], {
  cwd: root,
  encoding: "utf8",
});
process.stdout.write(found.stdout);
process.stderr.write(found.stderr);
process.exitCode = found.status === 1 ? 0 : 1; // git grep: 0 = found, 1 = none, else it could not search
