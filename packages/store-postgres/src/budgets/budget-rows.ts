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

/**
 * The columns of a new budget, as they are sent. The bytes are those of its document and of its events. A quota that is
 * null is not checked.
 */
export const INSERTED_TYPES = { ...BUDGET_TYPES, bytes: "bigint", budget_quota: "bigint", byte_quota: "bigint" };
