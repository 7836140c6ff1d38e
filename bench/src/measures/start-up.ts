import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Benchmark, recorded } from "../harness/benchmark.js";
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
      const first = await timeStart(path);
      const later: StartTimes[] = [];
      for (let start = 0; start < STARTS; start += 1) later.push(await timeStart(path));
      const ready = later.map((times) => times.ready);
      const interfaces = later.map((times) => times.interface);
      return {
        measured: [],
        figures: [
          { target: "startUp", value: median(ready) },
          recorded("start-up, slowest", Math.max(...ready), "ms"),
          recorded("until the interface has answered, median", median(interfaces), "ms"),
          recorded("first start: schema, secret, owner's password", first.ready, "ms"),
        ],
      };
    }),
};

/** Milliseconds from the start of the process: until it is ready, and until the interface has answered as well. */
interface StartTimes {
  readonly ready: number;
  readonly interface: number; // which is loaded with its first request
}

async function timeStart(path: string): Promise<StartTimes> {
  const started = performance.now();
  const child = spawn(process.execPath, [server], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PORT: "0", HOST: "127.0.0.1", DATABASE_URL: `file:${path}` },
  });
  try {
    const address = await addressOf(child);
    await mustAnswer(`${address}/readyz`);
    const ready = performance.now() - started;
    await mustAnswer(`${address}/v1/`);
    return { ready, interface: performance.now() - started };
  } finally {
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    await exit;
  }
}

async function mustAnswer(url: string): Promise<void> {
  const { status } = await fetch(url);
  if (status !== 200) throw new Error(`the server answered ${status}`);
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
