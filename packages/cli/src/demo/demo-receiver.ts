import type { WebhookSender } from "@budgetkit/core";
import type { Draws } from "./draws.js";

/** In the place of the network: a receiver that is well on most days, and on some answers with errors or not at all. */
export function demoReceiver(draws: Draws): WebhookSender {
  return {
    send: async () => {
      const luck = draws.number();
      const durationMs = draws.integer(20, 400);
      if (luck < 0.04) return { kind: "failed", error: "the connection was refused", durationMs };
      const responseCode = luck < 0.12 ? 500 : 200;
      return { kind: "answered", responseCode, responseBody: "", retryAfterSeconds: null, durationMs };
    },
  };
}
