import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dyingWithParent } from "../../packages/store-postgres/src/testing/postgres-server.js";

/** Debian installs HAProxy outside of the PATH of most users. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

const PROGRAMS = ["patroni", "etcd", "haproxy", "setpriv"] as const;
const VERSIONS = "/usr/lib/postgresql";

/** The programs of the newest PostgreSQL of Debian; null = none. Those that the tests install lack pg_basebackup. */
export const postgresPrograms = newestPrograms();

/** Why the tests are skipped; null = they run. */
export const missing = missingPrograms();

/**
 * Why a primary is not woken up after a failover; null = it is. Patroni 3.0.2 and earlier let it take the lock back, and
 * what the new one has acknowledged is lost. https://github.com/patroni/patroni/pull/2689
 */
export const takesLockBack = oldPatroni();

function oldPatroni(): string | null {
  const [version = "", ...parts] =
    /(\d+)\.(\d+)\.(\d+)/.exec(String(spawnSync(PROGRAMS[0], ["--version"], { env }).stdout)) ?? [];
  const [major = 0, minor = 0, patch = 0] = parts.map(Number);
  const isFixed = major > 3 || (major === 3 && (minor > 0 || patch > 2));
  return version === "" || isFixed ? null : `Patroni is ${version}, and 3.0.3 or later is needed`;
}

function newestPrograms(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  return (
    versions.map((version) => join(VERSIONS, version, "bin")).find((bin) => existsSync(join(bin, "pg_rewind"))) ?? null
  );
}

function missingPrograms(): string | null {
  const lacks: string[] = PROGRAMS.filter(
    (name) => spawnSync("sh", ["-c", `command -v ${name}`], { env }).status !== 0,
  );
  if (postgresPrograms === null) lacks.push(`pg_rewind in ${VERSIONS}`);
  return lacks.length === 0 ? null : `not found: ${lacks.join(", ")} (Debian: patroni etcd-server haproxy postgresql)`;
}

export interface Program {
  readonly child: ChildProcess;
  printed(): string;
  /** Ends it at once, also when it is stopped, and waits for its end. */
  kill(): Promise<void>;
}

/** Starts a program without the rights of root. The kernel ends it with this process. */
export function startProgramOf(command: string, args: readonly string[], folder: string): Program {
  const [setpriv, prefix] = dyingWithParent(command);
  const child = spawn(setpriv, [...prefix, ...args], {
    cwd: folder,
    env: { ...env, HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      text += String(chunk);
    });
  }
  return {
    child,
    printed: () => text,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A process and its children; empty = it has ended. */
export function familyOf(pid: number): number[] {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [...(existsSync(`/proc/${pid}`) ? [pid] : []), ...children.map(Number)];
}

function parentOf(pid: string): number | null {
  try {
    const [, parent] = /\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return Number(parent);
  } catch {
    return null; // it has ended meanwhile
  }
}

/** Sends a signal to processes, of which some may have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
