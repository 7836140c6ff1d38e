/** Versions of users, disabled users, one-time tokens and second factors. */
export const PEOPLE = `
  ALTER TABLE @users ADD COLUMN version bigint NOT NULL DEFAULT 1;
  ALTER TABLE @users ADD COLUMN disabled_at bigint; -- null = may log in
  ALTER TABLE @users ADD COLUMN one_time_token text; -- JSON; null = none
  ALTER TABLE @users ADD COLUMN second_factor text; -- JSON; null = none
`;
