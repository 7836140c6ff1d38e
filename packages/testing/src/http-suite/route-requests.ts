import type { Route } from "@budgetkit/core/routes";
import type { Client, Reply } from "./client.js";
import { aFileForm } from "./forms.js";
import { START } from "./world.js";

export const UNKNOWN = "999999";

const VALID_BODIES: Readonly<Record<string, unknown>> = {
  shareAttachment: { shared: true },
  reopenBudget: { reason: "why" },
  recordPayment: { amount: 1, reference: "transfer 1" },
  sendMessage: { message: "Hello" },
  sendPublicMessage: { name: "Ana", message: "Hello" },
  startWebhookReplay: { since: START },
  recoverDeliveriesOfWebhook: { since: START },
  recoverDeliveriesOfApiKey: { since: START },
};

/** Calls a route with a body that is valid wherever a record has to be found first. `id` is that of its first parameter. */
export function callRoute(client: Client, route: Route, id = UNKNOWN): Promise<Reply> {
  const path = route.paths[0].replace(/\{\w+\}/, id).replace(/\{\w+\}/, "999998");
  if (route.body.reading === "file") {
    const { body, headers } = aFileForm("x");
    return client.send(route.method, path, body, headers);
  }
  const body = route.body.reading === "none" ? undefined : (VALID_BODIES[route.operationId] ?? {});
  return client.send(route.method, path, body);
}
