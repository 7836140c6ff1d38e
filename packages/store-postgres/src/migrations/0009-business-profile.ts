/** How a business presents itself on its budgets, as JSON; the version of the business. */
export const BUSINESS_PROFILE = `
  ALTER TABLE @businesses ADD COLUMN version bigint NOT NULL DEFAULT 1;
  ALTER TABLE @businesses ADD COLUMN profile text NOT NULL DEFAULT '{}';
`;
