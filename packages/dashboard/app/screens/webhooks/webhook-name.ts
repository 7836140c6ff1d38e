import type { Webhook } from "@budgetkit/client";

/** What people call an endpoint: its description, or else the host of its address. */
export function webhookName({ description, url }: Pick<Webhook, "description" | "url">): string {
  return description?.split("\n")[0] || (URL.canParse(url) ? new URL(url).host : url);
}
