import { asBoolean } from "@budgetkit/store-kit";
import { type Columns, commitFunctions } from "../engine/commit-calls.js";
import { asCommitted } from "../engine/committed.js";
import type { Audited } from "../events/event-functions.js";
import type { Beside, Replacement } from "./budget-functions.js";

export const MAIL_FUNCTIONS = `
  -- Replaces the budget if it is in the argument, else requires that it is stored at the expected version.
  CREATE OR REPLACE FUNCTION @queue_mail(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    mail @mails := jsonb_populate_record(NULL::@mails, argument -> 'mail');
    outcome jsonb := '"written"';
  BEGIN
    IF argument ? 'budget' THEN
      outcome := @replace_budget(argument);
      IF outcome <> '"written"' THEN RETURN outcome; END IF;
    ELSE
      PERFORM FROM @budgets
      WHERE business_id = mail.business_id AND id = mail.budget_id
        AND version = (argument ->> 'expectedVersion')::bigint;
      IF NOT FOUND THEN RETURN '"stale"'; END IF;
      IF @exceeds_quota(mail.business_id, argument -> 'quota', (argument ->> 'bytes')::bigint) THEN
        RETURN '"quota-exceeded"';
      END IF;
      IF NOT @complete_claim(argument -> 'completes') THEN RETURN '"claim-lost"'; END IF;
      PERFORM @append_events(argument);
    END IF;
    INSERT INTO @mails SELECT mail.*;
    PERFORM @count_storage(mail.business_id, 0, octet_length(mail.document), 0, 0);
    INSERT INTO @reminder_checks AS stored (business_id, budget_id, due_at, claims, document)
    VALUES (mail.business_id, mail.budget_id, mail.created_at, 0, argument ->> 'check')
    -- A check that is running is fenced, so that it sees the new mail when it runs again.
    ON CONFLICT (business_id, budget_id) DO UPDATE SET due_at = excluded.due_at, claims = stored.claims + 1;
    PERFORM @append_audit_of(argument);
    RETURN outcome;
  END $$;

  CREATE OR REPLACE FUNCTION @claim_mails(given_now bigint, lease_until bigint, at_most integer)
  RETURNS TABLE (document text, due_at bigint, attempts integer) LANGUAGE sql AS $$
    UPDATE @mails AS mails SET due_at = lease_until, attempts = mails.attempts + 1
    FROM (
      SELECT business_id, id FROM @mails WHERE due_at <= given_now ORDER BY due_at LIMIT at_most FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE mails.business_id = due.business_id AND mails.id = due.id
    RETURNING mails.document, mails.due_at, mails.attempts
  $$;

  CREATE OR REPLACE FUNCTION @settle_mail(of_business bigint, mail_id bigint, attempt integer, next_due bigint, changed text)
  RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE @mails SET due_at = next_due, document = changed
    WHERE business_id = of_business AND id = mail_id AND attempts = attempt AND due_at IS NOT NULL;
    RETURN FOUND;
  END $$;

  CREATE OR REPLACE FUNCTION @claim_reminder_checks(given_now bigint, lease_until bigint, at_most integer)
  RETURNS TABLE (document text, due_at bigint, claims integer) LANGUAGE sql AS $$
    UPDATE @reminder_checks AS checks SET due_at = lease_until, claims = checks.claims + 1
    FROM (
      SELECT business_id, budget_id FROM @reminder_checks
      WHERE due_at <= given_now ORDER BY due_at LIMIT at_most FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE checks.business_id = due.business_id AND checks.budget_id = due.budget_id
    RETURNING checks.document, checks.due_at, checks.claims
  $$;

  -- Without a next time the check ends. The reminder null = none.
  CREATE OR REPLACE FUNCTION @settle_reminder_check(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    of_business bigint := (argument ->> 'business_id')::bigint;
    budget bigint := (argument ->> 'budget_id')::bigint;
    claim integer := (argument ->> 'claims')::integer;
    next_due bigint := (argument ->> 'due_at')::bigint;
  BEGIN
    IF next_due IS NULL THEN
      DELETE FROM @reminder_checks WHERE business_id = of_business AND budget_id = budget AND claims = claim;
    ELSE
      UPDATE @reminder_checks SET due_at = next_due, document = argument ->> 'check'
      WHERE business_id = of_business AND budget_id = budget AND claims = claim;
    END IF;
    IF NOT FOUND THEN RETURN 'false'; END IF;
    IF jsonb_typeof(argument -> 'reminder') = 'object' THEN
      INSERT INTO @mails SELECT * FROM jsonb_populate_record(NULL::@mails, argument -> 'reminder');
    END IF;
    PERFORM @append_audit_of(argument);
    RETURN 'true';
  END $$;

  -- opted_out_at null: this recipient wants reminders again.
  CREATE OR REPLACE FUNCTION @opt_out_of_reminders(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    given @reminder_opt_outs := jsonb_populate_record(NULL::@reminder_opt_outs, argument);
  BEGIN
    IF given.opted_out_at IS NULL THEN
      DELETE FROM @reminder_opt_outs WHERE business_id = given.business_id AND customer_id = given.customer_id
        AND recipient = given.recipient;
    ELSE
      INSERT INTO @reminder_opt_outs SELECT given.* ON CONFLICT (business_id, customer_id, recipient) DO NOTHING;
    END IF;
    IF NOT FOUND THEN RETURN '"unchanged"'; END IF;
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;
`;

type MailRow = Columns<"business_id" | "id" | "budget_id" | "created_at" | "due_at" | "attempts" | "document">;

/** A mail, with the replacement of its budget or the version at which that is required to be stored. */
type Queued = (Replacement | (Beside & Pick<Replacement, "expectedVersion">)) &
  Audited & { readonly mail: MailRow; readonly check: string };

interface Arguments {
  queue_mail: Queued;
  settle_reminder_check: Audited &
    Columns<"business_id" | "budget_id" | "claims" | "due_at"> & {
      readonly check: string;
      readonly reminder: MailRow | null;
    };
  opt_out_of_reminders: Audited & Columns<"business_id" | "customer_id" | "recipient" | "opted_out_at">;
}

export const MAIL_COMMITS = commitFunctions<Arguments>()({
  settle_reminder_check: asBoolean,
  opt_out_of_reminders: asCommitted,
  queue_mail: asCommitted,
});
