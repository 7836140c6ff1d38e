/** A value that every change of a name of the business replaces: see `postgresNamedBudgets`. */
export const CATALOG_MARKS = `
  CREATE TABLE @catalog_marks (
    business_id bigint NOT NULL PRIMARY KEY,
    mark uuid NOT NULL
  ) WITH (fillfactor = 50);
`;
