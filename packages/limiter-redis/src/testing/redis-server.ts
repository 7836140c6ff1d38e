import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";

const canStart = spawnSync("redis-server", ["--version"]).status === 0;
/** Has the kernel end the server with this process, however this one ends. */
const tied =
  spawnSync("setpriv", ["--pdeathsig", "KILL", "true"]).status === 0 ? ["setpriv", "--pdeathsig", "KILL"] : [];
const given = process.env.TEST_REDIS_URL;

/** Why tests that need a Redis, or one that they may kill, are left out; null = they run. */
export const noRedis = canStart || given !== undefined ? null : "no redis-server on PATH and no TEST_REDIS_URL";
export const noOwnRedis = canStart ? null : "no redis-server on PATH";

const reason = noRedis ?? noOwnRedis;
if (reason !== null) process.stderr.write(`Tests of the Redis limiter are skipped: ${reason}\n`);

/** A server of the test's own, in a folder of its own, which dies with the test's process. */
export interface RedisServer {
  readonly address: string; // a path or a URL, as `new Redis` takes it
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  kill(): Promise<void>;
  /** Starts it again after {@link RedisServer.kill}, empty, at the same address. */
  restart(): Promise<void>;
  /** Kills it and removes its folder. */
  remove(): Promise<void>;
}

/** A Redis at `TEST_REDIS_URL`, or else one of its own. */
export async function anyRedis(): Promise<Pick<RedisServer, "address" | "remove">> {
  return given === undefined ? startRedis() : { address: given, remove: async () => {} };
}

/** A server on a Unix socket. */
export async function startRedis(): Promise<RedisServer> {
  const folder = temporaryFolder();
  const address = join(folder, "redis.sock");
  return serverAt(address, folder, ["--port", "0", "--unixsocket", address]);
}

/** A server on a port, for programs that take a URL. */
export async function startRedisOnPort(): Promise<RedisServer> {
  const port = await freePort();
  return serverAt(`redis://127.0.0.1:${port}`, temporaryFolder(), ["--port", String(port), "--bind", "127.0.0.1"]);
}

/**
 * A Redis Cluster of one node, which has all the slots. Redis takes two seconds until it serves as a cluster: tests that
 * only need a port use {@link startRedisOnPort}.
 */
export async function startCluster(): Promise<RedisServer & { readonly port: number }> {
  const port = await freePort();
  const ports = [
    "--port",
    String(port),
    "--cluster-port",
    String(await freePort()),
    "--bind",
    "127.0.0.1",
    "--cluster-announce-ip",
    "127.0.0.1",
  ];
  const server = await serverAt(`redis://127.0.0.1:${port}`, temporaryFolder(), [...ports, "--cluster-enabled", "yes"]);
  const client = new Redis(server.address);
  await client.cluster("ADDSLOTSRANGE", 0, 16_383);
  while (!String(await client.cluster("INFO")).includes("cluster_state:ok")) await pause(20);
  client.disconnect();
  return { ...server, port };
}

async function serverAt(address: string, folder: string, args: readonly string[]): Promise<RedisServer> {
  let child = await start(address, folder, args);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const end = once(child, "exit");
    child.kill("SIGKILL");
    await end;
  };
  return {
    address,
    signal: (name) => child.kill(name),
    kill,
    restart: async () => {
      child = await start(address, folder, args);
    },
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(address: string, folder: string, args: readonly string[]): Promise<ChildProcess> {
  const [command = "", ...rest] = [
    ...tied,
    "redis-server",
    ...args,
    "--dir",
    folder,
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed += String(chunk);
    });
  }
  const client = new Redis(address, { retryStrategy: () => 10, maxRetriesPerRequest: null });
  client.on("error", () => {}); // until it listens
  try {
    const end = once(child, "exit").then(() => Promise.reject(new Error(`redis-server ended:\n${printed}`)));
    await Promise.race([client.ping(), end]);
    end.catch(() => {});
  } finally {
    client.disconnect();
  }
  return child;
}

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "budgetkit-redis-"));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
