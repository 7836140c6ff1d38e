/** The last entry of each business that retention has removed, with its signed checkpoint. */
export const LEDGER_STARTS = `
  CREATE TABLE @ledger_starts (
    business_id bigint NOT NULL PRIMARY KEY,
    sequence bigint NOT NULL,
    hash text COLLATE "C", -- null = from before the chain
    checkpoint text NOT NULL
  );
`;
