import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./running-program.js";

/** Makes each process of a program record its pid when it starts, and then run the code in `then`. */
export function newRoster(then = "") {
  const file = join(temporaryFolder(), "roster");
  writeFileSync(file, "");
  const code = `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(file)}, process.pid + "\\n"); ${then}`;
  return {
    environment: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` },
    /** The pids of the workers, in the order of their start. */
    workers: () => readFileSync(file, "utf8").trim().split("\n").map(Number).slice(1),
  };
}
