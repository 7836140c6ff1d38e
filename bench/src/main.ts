import { fork } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { targets } from "./data/targets.js";
import type { Figure } from "./harness/benchmark.js";
import { printTargets } from "./harness/print.js";
import { FULL, QUICK, type Settings } from "./harness/settings.js";
import { benchmarks } from "./measures/index.js";

/** `pnpm bench [names | targets] [--quick] [--rounds n] [--seconds n] [--profile folder]` */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    profile: { type: "string" },
  },
});

const withTarget = new Set<string>(Object.values(targets).map(({ benchmark }) => benchmark));
const names = new Set(positionals.flatMap((name) => (name === "targets" ? [...withTarget] : [name])));
const unknown = [...names].filter((name) => !benchmarks.has(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. There are: targets, ${[...benchmarks.keys()].join(", ")}.`);
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
    `load ${load()}; ${settings.rounds} rounds of ${settings.seconds} s a side`,
);

const chosen = names.size > 0 ? names : new Set(benchmarks.keys());
const loadAtStart = load();
const figures: Figure[] = [];
for (const name of chosen) figures.push(...(await runAlone(name)));
console.log(`\n## Targets, at a load of ${loadAtStart} at the start and ${load()} at the end\n`);
printTargets(figures, chosen);

function runAlone(name: string): Promise<readonly Figure[]> {
  const script = fileURLToPath(new URL("./run.js", import.meta.url));
  const child = fork(script, [name, JSON.stringify(settings)]);
  let received: readonly Figure[] = [];
  child.on("message", (message: readonly Figure[]) => {
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

/** Of the last minute: what other programs run, and this one's. */
function load(): string {
  return loadavg()[0]?.toFixed(2) ?? "unknown";
}
