import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { halvesOfCores, pin } from "./cores.js";
import type { Condition, Listening, ServerOptions } from "./server-protocol.js";
import type { Settings } from "./settings.js";

/** A server in a process of its own. */
export interface ServerProcess extends Listening {
  readonly url: string;
  /** How it has been since it was asked the last time. */
  condition(): Promise<Condition>;
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 10_000;

async function startServer(
  options: ServerOptions,
  settings: Settings,
  cores: readonly number[] | undefined,
): Promise<ServerProcess> {
  const script = fileURLToPath(new URL("./serve.js", import.meta.url));
  const { profileFolder } = settings;
  const child = fork(script, [JSON.stringify(options)], {
    execArgv: profileFolder === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`],
  });
  pin(child.pid, cores);
  const listening = await messageOf<Listening>(child);
  return {
    ...listening,
    url: `http://127.0.0.1:${listening.port}`,
    condition: () => {
      child.send("condition");
      return messageOf<Condition>(child);
    },
    stop: () => stop(child),
  };
}

/** Runs `use` beside some servers, each on the cores of servers, and ends them, also after a failure. */
export async function withServers<T>(
  options: readonly ServerOptions[],
  settings: Settings,
  use: (servers: readonly ServerProcess[]) => Promise<T>,
): Promise<T> {
  const cores = halvesOfCores();
  const servers: ServerProcess[] = [];
  try {
    for (const each of options) servers.push(await startServer(each, settings, cores?.server));
    pin(process.pid, cores?.load); // the load is made here
    return await use(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** The next message. Both ends are this program: its shape is taken to be what was sent. */
async function messageOf<T>(child: ChildProcess): Promise<T> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const exit = once(child, "exit", { signal }).then(() => {
    throw new Error(`the server ended with code ${child.exitCode}`);
  });
  const [message] = await Promise.race([once(child, "message", { signal }), exit]);
  exit.catch(() => {}); // it is given up
  waiting.abort();
  return message;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.disconnect(); // it ends by itself then
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await exit;
  clearTimeout(timer);
}
