/** Mails of budgets, the checks for reminders of mailed budgets, and the customers who want no reminders. */
export const MAILS = `
  CREATE TABLE @mails (
    business_id bigint NOT NULL,
    id bigint NOT NULL,
    budget_id bigint NOT NULL,
    created_at bigint NOT NULL,
    due_at bigint, -- the next attempt, or the end of the running one's lease; null = finished
    attempts integer NOT NULL,
    document text NOT NULL, -- its due time and attempts are the columns
    PRIMARY KEY (business_id, id)
  );
  CREATE INDEX mails_of_budget ON @mails (business_id, budget_id, created_at, id);
  CREATE INDEX mails_by_due ON @mails (due_at) WHERE due_at IS NOT NULL;

  CREATE TABLE @reminder_checks (
    business_id bigint NOT NULL,
    budget_id bigint NOT NULL,
    due_at bigint NOT NULL,
    claims integer NOT NULL,
    document text NOT NULL, -- its due time and claims are the columns
    PRIMARY KEY (business_id, budget_id)
  );
  CREATE INDEX reminder_checks_by_due ON @reminder_checks (due_at);

  CREATE TABLE @reminder_opt_outs (
    business_id bigint NOT NULL,
    customer_id text COLLATE "C" NOT NULL,
    opted_out_at bigint NOT NULL,
    PRIMARY KEY (business_id, customer_id)
  );
`;
