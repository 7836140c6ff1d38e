/** The index of keys with a webhook is built on exactly these words. */
export const WITH_WEBHOOK = "document ->> 'status' = 'ACTIVE' AND document ->> 'webhookUrl' IS NOT NULL";

/** A condition: the business has an endpoint or a key that may receive events. */
export function hasSubscribers(business: string): string {
  return `(
    EXISTS (SELECT 1 FROM budgetkit_endpoints WHERE business_id = ${business} AND status = 'ACTIVE')
    OR EXISTS (
      SELECT 1 FROM budgetkit_keys INDEXED BY budgetkit_keys_with_webhook
      WHERE business_id = ${business} AND ${WITH_WEBHOOK}
    )
  )`;
}
