import type { Subscriber } from "../../queries/deliveries.js";
import { api } from "../../start/api.js";

/** Reading leaves an entry in the ledger of the business. */
export async function readSecret({ kind, id }: Subscriber): Promise<string> {
  if (kind === "webhook") return (await api.webhooks.readSecret(id)).secret;
  return (await api.keys.readWebhookSecret(id)).webhookSecret;
}

export interface Rotated {
  readonly secret: string;
  readonly previousSecretUntil: string;
}

export async function rotateSecret({ kind, id }: Subscriber): Promise<Rotated> {
  if (kind === "webhook") return api.webhooks.rotateSecret(id);
  const { webhookSecret, previousSecretUntil } = await api.keys.rotateWebhookSecret(id);
  return { secret: webhookSecret, previousSecretUntil };
}
