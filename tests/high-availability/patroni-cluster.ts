import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { newFolder } from "../../packages/store-postgres/src/testing/postgres-server.js";
import { runOn } from "../../packages/store-postgres/src/testing/run-on.js";
import { blocksOf } from "../docs/code/page-code.js";
import { freePort } from "../programs/running-program.js";
import { familyOf, type Program, postgresPrograms, signalAll, startProgramOf } from "./programs.js";

const PAGE = fileURLToPath(new URL("../../docs/high-availability.md", import.meta.url));
const NAMES = ["db1", "db2", "db3"] as const;
const WAITS_MS = 120_000;
const LOOKS_EVERY_MS = 200;

/** A PostgreSQL and the Patroni that runs it. */
interface DatabaseNode {
  readonly name: string;
  readonly port: number;
  readonly restPort: number; // of Patroni
  /** The processes of PostgreSQL. */
  postgres(): number[];
  readonly patroni: Program;
  /** Starts Patroni again, which starts PostgreSQL. */
  start(): void;
  /** The processes of both: a signal to all is what happens to their machine. */
  all(): number[];
}

/** Three servers of one cluster, of which one takes writes. HAProxy leads to it. */
export interface PatroniCluster {
  /** A new database. Its URL leads to the primary by HAProxy. */
  newDatabase(): Promise<string>;
  readonly haproxyPort: number;
  /** The node that holds the leader lock of etcd. */
  primary(): Promise<DatabaseNode>;
  /** The standby whose confirmation commits wait for. */
  synchronousStandby(): Promise<DatabaseNode>;
  /** Resolves once another node than this one takes writes. It holds the leader lock a moment earlier. */
  promotedAfter(former: DatabaseNode): Promise<DatabaseNode>;
  /** Resolves once all three replicate, one of them synchronously. */
  whole(): Promise<void>;
  switchover(from: DatabaseNode): Promise<void>;
  /** Changes the configuration that the nodes share. */
  configure(settings: object): Promise<void>;
  /** The last lines of each program. */
  logs(): string;
  stop(): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number;
}

/** Patroni 3.1 and later report a standby that replicates as streaming. */
function isRunning({ state }: Member): boolean {
  return state === "running" || state === "streaming";
}

/** The configuration of the page, with the addresses and folders of this run. */
function configured(firstLine: string, replaced: readonly (readonly [string, string])[]): string {
  const block = blocksOf(readFileSync(PAGE, "utf8"), "text").find((code) => code.startsWith(firstLine));
  if (block === undefined) throw new Error(`the page has no block that begins with ${firstLine}`);
  for (const [from] of replaced) if (!block.includes(from)) throw new Error(`the page does not mention ${from}`);
  return replaced.reduce((text, [from, to]) => text.replaceAll(from, to), block);
}

export async function startCluster(): Promise<PatroniCluster> {
  const folder = newFolder();
  const etcdPort = await freePort();
  const peerPort = await freePort();
  const haproxyPort = await freePort();
  const nodes: DatabaseNode[] = [];
  for (const name of NAMES) nodes.push(newNode(name, folder, await freePort(), await freePort(), etcdPort));

  const address = (port: number) => `http://127.0.0.1:${port}`;
  const etcd = startProgramOf(
    "etcd",
    [
      `--data-dir=${join(folder, "etcd")}`,
      `--listen-client-urls=${address(etcdPort)}`,
      `--advertise-client-urls=${address(etcdPort)}`,
      `--listen-peer-urls=${address(peerPort)}`,
      `--initial-advertise-peer-urls=${address(peerPort)}`,
      `--initial-cluster=default=${address(peerPort)}`,
    ],
    folder,
  );
  for (const node of nodes) node.start();
  const settings = join(folder, "haproxy.cfg");
  const servers = nodes.map(
    ({ port, restPort }, index) =>
      [`10.0.0.1${index + 1}:5432 check port 8008`, `127.0.0.1:${port} check port ${restPort}`] as const,
  );
  writeFileSync(settings, configured("global", [...servers, ["10.0.0.31:5432", `127.0.0.1:${haproxyPort}`]]));
  const haproxy = startProgramOf("haproxy", ["-db", "-f", settings], folder);
  const guard = endWithThisProcess(nodes.map(({ name }) => pidFileOf(folder, name)));

  async function members(): Promise<readonly Member[]> {
    for (const { restPort } of nodes) {
      const signal = AbortSignal.timeout(2_000);
      const answer = await fetch(`${address(restPort)}/cluster`, { signal }).catch(() => null); // it is away
      if (answer?.ok) return JSON.parse(await answer.text()).members;
    }
    return [];
  }
  async function find(role: string): Promise<DatabaseNode> {
    return until(`a ${role}`, async () => {
      const found = (await members()).find((member) => member.role === role && isRunning(member));
      return nodes.find(({ name }) => name === found?.name);
    });
  }
  async function send(to: DatabaseNode, method: string, path: string, body: object): Promise<void> {
    const request = { method, body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) };
    const answer = await fetch(`${address(to.restPort)}${path}`, request);
    expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
  }

  const administratorOf = (port: number) => `postgres://postgres:superuser-password@127.0.0.1:${port}/postgres`;
  const administrator = administratorOf(haproxyPort);
  let databases = 0;
  const cluster: PatroniCluster = {
    newDatabase: async () => {
      databases += 1;
      await runOn(administrator, `CREATE DATABASE budgetkit_${databases} OWNER budgetkit`);
      return `postgres://budgetkit:budgetkit-password@127.0.0.1:${haproxyPort}/budgetkit_${databases}`;
    },
    haproxyPort,
    primary: () => find("leader"),
    synchronousStandby: () => find("sync_standby"),
    promotedAfter: (former) =>
      until(`a primary after ${former.name}`, async () => {
        const leader = await find("leader");
        if (leader.name === former.name) return undefined;
        const rows = await runOn(administratorOf(leader.port), "SELECT pg_is_in_recovery() AS recovers").catch(
          () => [],
        );
        return rows[0]?.recovers === false ? leader : undefined;
      }),
    whole: () =>
      until("three servers that replicate", async () => {
        const all = await members();
        const running = all.filter(isRunning);
        const isBehind = running.some(({ role, lag }) => role !== "leader" && lag !== 0);
        const hasBoth = ["leader", "sync_standby"].every((role) => running.some((member) => member.role === role));
        return (running.length === nodes.length && !isBehind && hasBoth) || undefined;
      }).then(() => {}),
    switchover: (from) => send(from, "POST", "/switchover", { leader: from.name }),
    configure: async (changed) => send(await find("leader"), "PATCH", "/config", changed),
    logs: () =>
      [etcd, haproxy, ...nodes.map(({ patroni }) => patroni)]
        .map((program) => program.printed().split("\n").slice(-60).join("\n"))
        .join("\n---\n"),
    stop: async () => {
      for (const node of nodes) signalAll(node.all(), "SIGKILL");
      await Promise.all([etcd, haproxy, ...nodes.map(({ patroni }) => patroni)].map((program) => program.kill()));
      guard.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  try {
    await cluster.whole();
    await until("an answer by HAProxy", () => runOn(administrator, "SELECT 1").catch(() => undefined));
    await runOn(administrator, "CREATE ROLE budgetkit LOGIN PASSWORD 'budgetkit-password'");
    return cluster;
  } catch (error) {
    const logs = cluster.logs();
    await cluster.stop();
    throw new Error(`the cluster does not start:\n${logs}`, { cause: error });
  }
}

/** The first answer of `look` that is not undefined. */
async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const givesUpMs = performance.now() + WAITS_MS; performance.now() < givesUpMs; await pause(LOOKS_EVERY_MS)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`there is not ${what} within ${WAITS_MS / 1_000} s`);
}

function newNode(name: string, folder: string, port: number, restPort: number, etcdPort: number): DatabaseNode {
  const data = join(folder, name);
  const file = join(folder, `${name}.yml`);
  const text = configured("scope: ", [
    ["name: db1", `name: ${name}`],
    ["10.0.0.11:8008", `127.0.0.1:${restPort}`],
    ["10.0.0.11:5432", `127.0.0.1:${port}`],
    ["10.0.0.21:2379", `127.0.0.1:${etcdPort}`],
    ["10.0.0.0/24", "127.0.0.1/32"],
    ["/usr/lib/postgresql/15/bin", postgresPrograms ?? ""],
    ["/var/lib/postgresql/budgetkit", data],
    ["/var/lib/postgresql/.pgpass", join(folder, `${name}.pgpass`)],
    ["/var/run/postgresql", folder],
  ]);
  writeFileSync(file, text);
  let patroni: Program | null = null; // null = not started
  const running = (): Program => {
    if (patroni === null) throw new Error(`${name} was not started`);
    return patroni;
  };
  const node: DatabaseNode = {
    name,
    port,
    restPort,
    get patroni() {
      return running();
    },
    start: () => {
      patroni = startProgramOf("patroni", [file], folder);
    },
    postgres: () => {
      const pidFile = pidFileOf(folder, name);
      return existsSync(pidFile) ? familyOf(Number.parseInt(readFileSync(pidFile, "utf8"), 10)) : [];
    },
    all: () => [running().child.pid ?? 0, ...node.postgres()],
  };
  return node;
}

function pidFileOf(folder: string, name: string): string {
  return join(folder, name, "postmaster.pid");
}

/** Patroni starts PostgreSQL as a daemon. This ends it if this process is killed: then the input of the shell ends. */
function endWithThisProcess(pidFiles: readonly string[]) {
  const script = 'read -r _; for file in "$@"; do kill -9 "$(head -n 1 "$file")"; done';
  return spawn("sh", ["-c", script, "guard", ...pidFiles], { stdio: ["pipe", "ignore", "ignore"] });
}
