import { createServer } from "node:http";

/** A receiver of webhooks in a process of its own: reads each call, answers 204, and tells its port to its parent. */

const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(204).end());
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
});
process.on("disconnect", () => process.exit(0));
