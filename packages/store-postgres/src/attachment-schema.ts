/** Attachments. Their bytes are the blob store's. A budget has few enough that its list is sorted as it is read. */
export const ATTACHMENT_TABLES = `
  CREATE TABLE @attachments (
    business_id bigint NOT NULL,
    budget_id bigint NOT NULL,
    id bigint NOT NULL,
    created_at bigint NOT NULL,
    document text NOT NULL
  );
  CREATE INDEX attachments_by_id ON @attachments (id);
  ALTER TABLE @attachments ADD PRIMARY KEY (business_id, budget_id, id);
`;

/** The lock of the business keeps the budget at its version, and the number of its attachments, until the commit. */
export const ATTACHMENT_FUNCTIONS = `
  CREATE FUNCTION @insert_attachment(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    attachment @attachments := jsonb_populate_record(NULL::@attachments, argument -> 'attachment');
  BEGIN
    PERFORM FROM @budgets
    WHERE business_id = attachment.business_id AND id = attachment.budget_id
      AND version = (argument ->> 'budgetVersion')::bigint;
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    IF (argument ->> 'maxOfBudget')::bigint <= (
      SELECT count(*) FROM @attachments
      WHERE business_id = attachment.business_id AND budget_id = attachment.budget_id
    ) THEN RETURN '"full"'; END IF;
    INSERT INTO @attachments SELECT attachment.*;
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @remove_attachment(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    business bigint := argument ->> 'business_id';
    budget bigint := argument ->> 'budget_id';
    attachment bigint := argument ->> 'id';
  BEGIN
    PERFORM FROM @attachments WHERE business_id = business AND budget_id = budget AND id = attachment;
    IF NOT FOUND THEN RETURN '"missing"'; END IF;
    PERFORM FROM @budgets
    WHERE business_id = business AND id = budget AND version = (argument ->> 'budgetVersion')::bigint;
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    DELETE FROM @attachments WHERE business_id = business AND budget_id = budget AND id = attachment;
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"removed"';
  END $$;
`;

export const ATTACHMENT_CALLS = ["insert_attachment", "remove_attachment"];
