import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The cores of a server, and those of its load, so that neither takes the other's time. */
export interface Cores {
  readonly server: readonly number[];
  readonly load: readonly number[];
}

/** The two halves of the cores that this process may use; null where there is only one, or no Linux with taskset. */
export function halvesOfCores(): Cores | null {
  const cores = allowedCores();
  if (cores.length < 2) return null;
  const half = cores.length / 2;
  return { server: cores.slice(0, half), load: cores.slice(half) };
}

/** Keeps all threads of a process on these cores. */
export function pin(processId: number | undefined, cores: readonly number[] | undefined): void {
  if (processId === undefined || cores === undefined) return;
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", cores.join(","), String(processId)], {
    stdio: "ignore",
  });
}

function allowedCores(): readonly number[] {
  try {
    execFileSync("taskset", ["--version"], { stdio: "ignore" });
    return coresIn(/^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "");
  } catch {
    return [];
  }
}

/** "0-2,5" is 0, 1, 2 and 5. */
function coresIn(list: string): readonly number[] {
  return list.split(",").flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split("-").map(Number);
    return Number.isNaN(first) ? [] : Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
