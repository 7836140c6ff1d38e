/**
 * Finds the customer with an email, for budgets that are created with their customer. Writes of customers wait for it: it
 * lasts as long as a scan of the customers.
 */
export const CUSTOMER_EMAILS = `
  CREATE INDEX customers_by_email ON @customers (business_id, lower(email), created_at, id)
    WHERE email IS NOT NULL AND deleted_at IS NULL;
`;
