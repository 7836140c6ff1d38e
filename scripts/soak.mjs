// Keeps a server under mixed load and checks that its memory stays flat and its data whole: half of the time on SQLite,
// half on PostgreSQL. `pnpm soak --minutes 60`; the default is 3.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./pnpm.mjs";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "3" } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0: ${values.minutes}`);

const { status } = spawnSync(
  process.execPath,
  [join(root, "scripts/bootstrap.mjs"), "test", "tests/crash/soak.test.ts"],
  {
    cwd: root,
    env: { ...process.env, SOAK_MINUTES: String(minutes) },
    stdio: "inherit",
  },
);
process.exitCode = status ?? 1;
