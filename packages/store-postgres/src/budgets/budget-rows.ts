/** The columns of a budget. */
export const BUDGET_TYPES = {
  business_id: "bigint",
  id: "bigint",
  version: "bigint",
  revision: "bigint",
  status: "text",
  customer_id: "text",
  currency: "text",
  total: "double precision",
  total_minor: "bigint",
  created_at: "bigint",
  valid_until: "bigint",
  public_token_hash: "text",
  search_text: "text",
  document: "text",
};

/** The bytes of the documents of a new budget and its events, and its quotas; null = not checked. */
export const QUOTA_TYPES = { bytes: "bigint", budget_quota: "bigint", byte_quota: "bigint" };

/** A new budget, as it is sent. */
export const INSERTED_TYPES = { ...BUDGET_TYPES, ...QUOTA_TYPES };
