import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { halvesOfCores, pin } from "./cores.js";

/** Runs `use` beside a receiver in a process and on cores of its own, which answers 204 at once. */
export async function withReceiverProcess<T>(use: (origin: string) => Promise<T>): Promise<T> {
  const child = fork(fileURLToPath(new URL("./receive.js", import.meta.url)));
  try {
    const [port] = await once(child, "message");
    const cores = halvesOfCores();
    pin(child.pid, cores?.load);
    pin(process.pid, cores?.server);
    return await use(`http://127.0.0.1:${Number(port)}`);
  } finally {
    const end = once(child, "exit");
    child.disconnect();
    await end;
  }
}

export interface LocalReceiver {
  readonly origin: string;
  close(): Promise<void>;
}

/** Calls to this path are never answered. */
export const SILENT_PATH = "/silent";

/** A receiver in this process, which tells of each call and answers 204, but for {@link SILENT_PATH}. */
export async function openReceiver(onCall: () => void): Promise<LocalReceiver> {
  const server = createServer((request, response) => {
    if (request.url === SILENT_PATH) return;
    onCall();
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver listens on no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
