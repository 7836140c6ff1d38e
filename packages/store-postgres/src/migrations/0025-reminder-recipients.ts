/** Ends of reminders by recipient: only the recipient who ended them lets them come again. Former ones have none: "". */
export const REMINDER_RECIPIENTS = `
  ALTER TABLE @reminder_opt_outs ADD COLUMN recipient text COLLATE "C" NOT NULL DEFAULT '';
  ALTER TABLE @reminder_opt_outs DROP CONSTRAINT reminder_opt_outs_pkey;
  ALTER TABLE @reminder_opt_outs ADD PRIMARY KEY (business_id, customer_id, recipient);
`;
