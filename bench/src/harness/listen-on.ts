import { createServer, type RequestListener } from "node:http";

/** Serves on a free port of the loopback address, and gives the port. */
export function listenOn(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("the server has no port"));
      else resolve(address.port);
    });
  });
}
