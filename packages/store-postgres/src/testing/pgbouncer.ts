import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { dyingWithParent, newFolder, untilReady } from "./postgres-server.js";

/** With the folder in which Debian installs it, which is not on the PATH of every user. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** Major and minor version of the program; null = it is not installed. */
const [version = null, major, minor] =
  /(\d+)\.(\d+)/.exec(String(spawnSync("pgbouncer", ["--version"], { env }).stdout)) ?? [];

/** Why tests that need PgBouncer are skipped; null = they run. */
export const noPgBouncer = version === null ? "no pgbouncer on the PATH or in /usr/sbin" : null;
/** Why tests that need its support of prepared statements are skipped; null = they run. */
export const noPreparedStatements =
  version === null || (major === "1" && Number(minor) < 21)
    ? `pgbouncer is ${version ?? "missing"}, and 1.21 or later is needed`
    : null;

for (const reason of new Set([noPgBouncer, noPreparedStatements])) {
  if (reason !== null) process.stderr.write(`Tests of PgBouncer are skipped: ${reason}\n`);
}

const PORT = 6_432;

/** Starts PgBouncer in front of a database until the end of the test. @returns the URL of the database behind it */
export async function startPgBouncer(databaseUrl: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const folder = newFolder();
  const { pathname, searchParams } = new URL(databaseUrl.replace("postgres@/", "postgres@localhost/"));
  const target = `host=${searchParams.get("host")} port=${searchParams.get("port")} user=postgres`;
  const all = { unix_socket_dir: folder, listen_port: String(PORT), auth_type: "any", ...settings };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, ["[databases]", `* = ${target}`, "[pgbouncer]", ...lines, ""].join("\n"));
  const [command, prefix] = dyingWithParent("pgbouncer");
  const child = spawn(command, [...prefix, file], { stdio: "ignore", cwd: folder, env });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `postgres://postgres@${pathname}?host=${encodeURIComponent(folder)}&port=${PORT}`;
  await untilReady(url, () => child);
  return url;
}
