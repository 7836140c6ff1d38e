import { fork } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Verdict } from "./harness/benchmark.js";
import { printVerdicts } from "./harness/print.js";
import { FULL, QUICK, type Settings } from "./harness/settings.js";
import { benchmarks } from "./measures/index.js";

/** `pnpm bench [names] [--quick] [--rounds n] [--seconds n] [--profile folder]` */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    profile: { type: "string" },
  },
});

const unknown = positionals.filter((name) => !benchmarks.has(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. There are: ${[...benchmarks.keys()].join(", ")}.`);
  process.exit(2);
}

const basis = values.quick ? QUICK : FULL;
const settings: Settings = {
  ...basis,
  rounds: Number(values.rounds ?? basis.rounds),
  seconds: Number(values.seconds ?? basis.seconds),
  profileFolder: values.profile ?? null,
};

const [processor] = cpus();
console.log(
  `Node ${process.versions.node}, ${cpus().length} cores (${processor?.model.trim() ?? "unknown"}), ` +
    `load ${loadavg()[0]?.toFixed(2)}; ${settings.rounds} rounds of ${settings.seconds} s a side`,
);

const verdicts: Verdict[] = [];
for (const name of positionals.length > 0 ? positionals : benchmarks.keys()) verdicts.push(...(await runAlone(name)));
console.log("\n## All targets\n");
printVerdicts(verdicts.filter(({ target }) => target !== null));

function runAlone(name: string): Promise<readonly Verdict[]> {
  const script = fileURLToPath(new URL("./run.js", import.meta.url));
  const child = fork(script, [name, JSON.stringify(settings)]);
  let received: readonly Verdict[] = [];
  child.on("message", (message: readonly Verdict[]) => {
    received = message;
  });
  return new Promise((resolve) => {
    child.on("exit", (code) => {
      if (code !== 0) {
        console.error(`${name} failed`);
        process.exitCode = 1;
      }
      resolve(received);
    });
  });
}
