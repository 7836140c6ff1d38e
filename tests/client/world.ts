import type { BudgetService } from "@budgetkit/core";
import { listen, listeners } from "../hosts/http-hosts.js";
import { type DocumentedWorld, inDocumentedWorld } from "../operations/documented-world.js";

/** Runs `body` in a documented world that is served on this machine; `baseUrl` is where. */
export async function inServedWorld(
  framework: keyof typeof listeners,
  body: (baseUrl: string, world: DocumentedWorld) => Promise<void>,
  operationId = "",
): Promise<void> {
  let baseUrl = "";
  const start = async (service: BudgetService) => {
    const host = await listen(listeners[framework](service));
    baseUrl = `http://127.0.0.1:${host.port}/v1`;
    return host;
  };
  await inDocumentedWorld(start, (world) => body(baseUrl, world), operationId);
}
