import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Stands between a store and its server, and cuts connections. */
export interface CuttingProxy {
  readonly url: string;
  readonly cuts: number;
  /** Until then connections are cut; from now on they are left alone. */
  relent(): void;
  close(): Promise<void>;
}

/**
 * Each connection is cut after some pieces of data, chosen by `random` (from 0 to below 1): before a request was passed
 * on, after it was and before its answer, or in the midst of the answer.
 */
export function cuttingProxy(serverUrl: string, random: () => number): Promise<CuttingProxy> {
  return proxyBetween(serverUrl, () => {
    let pieces = 2 + Math.floor(random() * 12); // until the cut; the first ones belong to the greeting
    const manner = Math.floor(random() * 3);
    const isCut = (): boolean => {
      pieces -= 1;
      return pieces <= 0;
    };
    return {
      cutsRequest: () => (manner !== 2 && isCut() ? (manner === 0 ? "before" : "after") : null),
      cutsAnswer: () => manner === 2 && isCut(),
    };
  });
}

/** Cuts the connection in the midst of the first answer that holds the text: the server has sent all of it. */
export function proxyThatLoses(serverUrl: string, text: string): Promise<CuttingProxy> {
  let hasCut = false;
  return proxyBetween(serverUrl, () => ({
    cutsRequest: () => null,
    cutsAnswer: (answer) => {
      const isCut = !hasCut && answer.includes(text);
      hasCut ||= isCut;
      return isCut;
    },
  }));
}

/** Decides about the pieces of one connection. */
interface Cutter {
  /** Whether the connection ends before or after the request was passed on. */
  cutsRequest(): "before" | "after" | null;
  cutsAnswer(answer: Buffer): boolean;
}

async function proxyBetween(serverUrl: string, newCutter: () => Cutter): Promise<CuttingProxy> {
  const { pathname, searchParams } = new URL(serverUrl.replace("@/", "@localhost/"));
  const port = searchParams.get("port") ?? "5432";
  const upstreamPath = join(searchParams.get("host") ?? "", `.s.PGSQL.${port}`);
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-proxy-"));
  const open = new Set<Socket>();
  let cuts = 0;
  let isCutting = true;

  const server = createServer((client) => {
    const upstream = connect({ path: upstreamPath });
    const cutter = newCutter();

    function end(): void {
      client.destroy();
      upstream.destroy();
    }
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        end();
      });
    }
    client.on("data", (request) => {
      const cut = isCutting ? cutter.cutsRequest() : null;
      if (cut !== null) cuts += 1;
      if (cut === "before") end();
      else if (cut === "after") upstream.write(request, () => setTimeout(end, 1));
      else upstream.write(request);
    });
    upstream.on("data", (answer) => {
      const isCut = isCutting && cutter.cutsAnswer(answer);
      if (isCut) cuts += 1;
      if (isCut) client.write(answer.subarray(0, Math.floor(answer.length / 2)), end);
      else client.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(join(folder, ".s.PGSQL.5432"), resolve));

  return {
    url: `postgres://postgres@${pathname}?host=${encodeURIComponent(folder)}`,
    get cuts() {
      return cuts;
    },
    relent: () => {
      isCutting = false;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
