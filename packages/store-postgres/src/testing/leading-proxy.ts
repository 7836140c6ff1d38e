import { rmSync } from "node:fs";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import { join } from "node:path";
import { newFolder } from "./postgres-server.js";

/** One address in front of servers, whose connections can be led elsewhere or fall silent. */
export interface LeadingProxy {
  readonly url: string;
  /** Open connections pass on nothing any more, in neither direction, and stay open: no end, no error. */
  silence(): void;
  close(): Promise<void>;
}

/** `leadTo` returns where the connection with this number goes, from 0; null = it is closed. */
export async function leadingProxy(leadTo: (connection: number) => NetConnectOpts | null): Promise<LeadingProxy> {
  const folder = newFolder();
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    const target = leadTo(connections);
    connections += 1;
    client.on("error", ignore);
    if (target === null) {
      client.destroy();
      return;
    }
    const upstream = connect(target);
    upstream.on("error", ignore);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on("close", () => {
        open.delete(from);
        if (open.has(to) && !from.isPaused()) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(join(folder, ".s.PGSQL.5432"), resolve));

  return {
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}`,
    silence: () => {
      for (const socket of open) {
        socket.unpipe();
        socket.pause();
      }
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The socket of a server of {@link startPostgres}. */
export function socketOf({ folder }: { readonly folder: string }): NetConnectOpts {
  return { path: join(folder, ".s.PGSQL.5432") };
}

function ignore(): void {}
