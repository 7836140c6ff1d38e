import type { Migration } from "../engine/migrations.js";

/** Finds the customer with an email, for budgets that are created with their customer. */
export const CUSTOMER_EMAILS: Migration = {
  version: 27,
  sql: `
    CREATE INDEX budgetkit_customers_by_email ON budgetkit_customers (business_id, lower(email), created_at, id)
      WHERE email IS NOT NULL AND deleted_at IS NULL;
  `,
};
