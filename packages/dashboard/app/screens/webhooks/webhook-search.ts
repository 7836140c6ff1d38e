/** What the address of the screen says, read from text that anybody may have typed. */
export type WebhookSearch = Record<never, never>;

export function readWebhookSearch(_search: Record<string, unknown>): WebhookSearch {
  return {};
}
