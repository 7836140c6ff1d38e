import type { StorageQuota } from "@budgetkit/core/store";
import { type Columns, commitFunctions } from "../engine/commit-calls.js";
import { asCommitted } from "../engine/committed.js";
import type { EventRow } from "../events/event-functions.js";

/** The lock of the business keeps the version of the budget and the number of its attachments until the commit. */
export const ATTACHMENT_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @insert_attachment(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
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
    ) THEN RETURN '"attachment-limit"'; END IF;
    IF @exceeds_quota(attachment.business_id, argument -> 'quota', (argument ->> 'bytes')::bigint) THEN
      RETURN '"quota-exceeded"';
    END IF;
    INSERT INTO @attachments SELECT attachment.*;
    PERFORM @count_storage(attachment.business_id, 0, 0, (attachment.document::jsonb ->> 'size')::bigint, 0);
    PERFORM @append_events(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @replace_attachment(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    attachment @attachments := jsonb_populate_record(NULL::@attachments, argument -> 'attachment');
  BEGIN
    PERFORM FROM @attachments
    WHERE business_id = attachment.business_id AND budget_id = attachment.budget_id AND id = attachment.id;
    IF NOT FOUND THEN RETURN '"missing"'; END IF;
    PERFORM FROM @budgets
    WHERE business_id = attachment.business_id AND id = attachment.budget_id
      AND version = (argument ->> 'budgetVersion')::bigint;
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    UPDATE @attachments SET document = attachment.document
    WHERE business_id = attachment.business_id AND budget_id = attachment.budget_id AND id = attachment.id;
    PERFORM @append_events(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @remove_attachment(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    business bigint := argument ->> 'business_id';
    budget bigint := argument ->> 'budget_id';
    attachment bigint := argument ->> 'id';
    size bigint;
  BEGIN
    SELECT (document::jsonb ->> 'size')::bigint INTO size
    FROM @attachments WHERE business_id = business AND budget_id = budget AND id = attachment;
    IF NOT FOUND THEN RETURN '"missing"'; END IF;
    PERFORM FROM @budgets
    WHERE business_id = business AND id = budget AND version = (argument ->> 'budgetVersion')::bigint;
    IF NOT FOUND THEN RETURN '"stale"'; END IF;
    DELETE FROM @attachments WHERE business_id = business AND budget_id = budget AND id = attachment;
    PERFORM @count_storage(business, 0, 0, -size, 0);
    PERFORM @append_events(argument);
    RETURN '"written"';
  END $$;
`;

type AttachmentRow = Columns<"business_id" | "budget_id" | "id" | "created_at" | "document">;

interface Arguments {
  insert_attachment: {
    attachment: AttachmentRow;
    budgetVersion: number;
    maxOfBudget: number | null; // null = no limit
    events: readonly EventRow[];
    bytes: number; // of the file and the events, for the quota
    quota: StorageQuota | null; // null = not checked
  };
  replace_attachment: {
    attachment: AttachmentRow;
    budgetVersion: number;
    events: readonly EventRow[];
  };
  remove_attachment: {
    business_id: number;
    budget_id: number;
    id: number;
    budgetVersion: number;
    events: readonly EventRow[];
  };
}

export const ATTACHMENT_COMMITS = commitFunctions<Arguments>()({
  insert_attachment: asCommitted,
  replace_attachment: asCommitted,
  remove_attachment: asCommitted,
});
