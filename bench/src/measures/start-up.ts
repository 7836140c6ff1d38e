import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { atMost, type Benchmark } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { median } from "../harness/statistics.js";

const STARTS = 9;
const built = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
const server = fileURLToPath(new URL("../../examples/standalone/main.mjs", import.meta.url));

export const startUp: Benchmark = {
  title: "from the start of the standalone server to its first answer",
  run: () =>
    withFolder(async (folder) => {
      if (!existsSync(built)) throw new Error("the standalone server is not built: run `pnpm build` first");
      const path = join(folder, "budgetkit.db");
      const first = await timeOfStart(path);
      const later: number[] = [];
      for (let start = 0; start < STARTS; start += 1) later.push(await timeOfStart(path));
      return {
        measured: [],
        verdicts: [
          { what: `start-up, median of ${STARTS}`, value: median(later), unit: "ms", target: atMost(500) },
          { what: "start-up, slowest", value: Math.max(...later), unit: "ms", target: null },
          { what: "first start: schema, secret, owner's password", value: first, unit: "ms", target: null },
        ],
      };
    }),
};

async function timeOfStart(path: string): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [server], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PORT: "0", HOST: "127.0.0.1", DATABASE_URL: `file:${path}` },
  });
  try {
    const answer = await fetch(`${await addressOf(child)}/readyz`);
    if (answer.status !== 200) throw new Error(`the server answered ${answer.status}`);
    return performance.now() - started;
  } finally {
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await exit;
  }
}

/** The server prints its address when it listens. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("the server has no output");
  for await (const line of createInterface({ input: stdout })) {
    const address = /listens on (http:\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error("the server ended before it listened");
}
