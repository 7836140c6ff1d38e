import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { newFolder, type PostgresServer, startPostgres } from "./postgres-server.js";
import { runOn } from "./run-on.js";

/** A primary and a standby that follows it, behind one address that leads to the primary. */
export interface ReplicatedServer {
  /** Leads to the primary, and after a failover to the standby that was promoted. */
  readonly url: string;
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** Resolves once the standby has all that the primary has committed. */
  catchUp(): Promise<void>;
  /** Cuts the standby off: what the primary commits from now on is lost with it. */
  cutOff(): Promise<void>;
  /** Kills the primary, and promotes the standby. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

export async function startReplicated(settings: Readonly<Record<string, string>> = {}): Promise<ReplicatedServer> {
  const primary = await startPostgres({ settings });
  const standby = await startPostgres({ standbyOf: primary });
  const folder = newFolder();
  const address = join(folder, "server");
  symlinkSync(primary.folder, address);

  return {
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(address)}`,
    primary,
    standby,
    catchUp: async () => {
      const [row] = await runOn(primary.url, "SELECT pg_current_wal_insert_lsn()::text AS place");
      await untilTrue(standby, `SELECT pg_last_wal_replay_lsn() >= '${row?.place}' AS done`);
    },
    cutOff: async () => {
      await runOn(standby.url, "ALTER SYSTEM SET primary_conninfo = ''");
      await runOn(standby.url, "SELECT pg_reload_conf()");
      await untilTrue(standby, "SELECT NOT EXISTS (SELECT FROM pg_stat_wal_receiver) AS done");
    },
    failOver: async () => {
      primary.process.kill("SIGKILL");
      symlinkSync(standby.folder, `${address}.next`);
      renameSync(`${address}.next`, address);
      await runOn(standby.url, "SELECT pg_promote()");
    },
    stop: async () => {
      await Promise.all([primary.stop(), standby.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilTrue({ url }: PostgresServer, question: string): Promise<void> {
  while ((await runOn(url, question))[0]?.done !== true) await setTimeout(10);
}
