import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CONCURRENT } from "./concurrently.js";
import type { Side } from "./rounds.js";
import { percentile } from "./statistics.js";

/** What pgbench runs, as its language has it. `run` is the number of the run, by which each may have ids of its own. */
export type Script = (run: number) => string;

/**
 * A side that is PostgreSQL's own pgbench: its clients run a script again and again, each statement prepared. Times are of
 * one run of the script. Empty where neither the variable PGBENCH names it nor the PATH has it.
 */
export function pgbenchSides(url: string, scripts: Readonly<Record<string, Script>>): readonly Side[] {
  const program = process.env.PGBENCH ?? "pgbench";
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
  } catch {
    return [];
  }
  let runs = 0;
  const nextRun = () => {
    runs += 1;
    return runs;
  };
  return Object.entries(scripts).map(([name, script]) => pgbenchSide(program, url, name, () => script(nextRun())));
}

function pgbenchSide(program: string, url: string, name: string, nextScript: () => string): Side {
  return {
    name,
    measure: async (seconds) => {
      const folder = mkdtempSync(join(tmpdir(), "budgetkit-pgbench-"));
      try {
        writeFileSync(join(folder, "script.sql"), nextScript());
        const clients = ["--no-vacuum", "--protocol=prepared", `--client=${CONCURRENT}`];
        const length = `--time=${Math.max(1, Math.round(seconds))}`; // whole seconds
        const { stdout } = await promisify(execFile)(
          program,
          [...clients, length, "--define=n=0", "--log", "--file=script.sql", url],
          { cwd: folder },
        );
        const times = timesIn(folder);
        const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
        return { perSecond, p50: percentile(times, 0.5), p99: percentile(times, 0.99), server: null };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Of each line of the log the third word, microseconds. */
function timesIn(folder: string): number[] {
  const logs = readdirSync(folder).filter((file) => file.startsWith("pgbench_log"));
  return logs.flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .trim()
      .split("\n")
      .map((line) => Number(line.split(" ")[2])),
  );
}
