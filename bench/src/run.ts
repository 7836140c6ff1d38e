import type { Report } from "./harness/benchmark.js";
import { printReport } from "./harness/print.js";
import type { Settings } from "./harness/settings.js";
import { benchmarks } from "./measures/index.js";

/** One benchmark, in a process of its own, so that none finds a heap or compiled code that another left. */

const [name = "", settings = "{}"] = process.argv.slice(2);
const benchmark = benchmarks.get(name);
if (benchmark === undefined) throw new Error(`no benchmark is called ${name}`);

const parsed: Settings = JSON.parse(settings);
const report: Report = await benchmark.run(parsed);
printReport(`${name}: ${benchmark.title}`, report);
process.send?.(report.figures);
process.disconnect?.();
