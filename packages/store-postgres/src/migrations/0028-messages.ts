/** Messages of both sides about a budget. */
export const MESSAGES = `
  CREATE TABLE @messages (
    business_id bigint NOT NULL,
    budget_id bigint NOT NULL,
    id bigint NOT NULL,
    created_at bigint NOT NULL,
    document text NOT NULL,
    PRIMARY KEY (business_id, budget_id, id)
  );
  CREATE INDEX messages_by_creation ON @messages (business_id, budget_id, created_at, id);
`;
