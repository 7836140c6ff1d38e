/** The numbers of budgets, and the next value of each series. */
export const BUDGET_NUMBERS = `
  CREATE TABLE @number_series (
    business_id bigint NOT NULL,
    series text COLLATE "C" NOT NULL,
    next bigint NOT NULL,
    PRIMARY KEY (business_id, series)
  );
  CREATE TABLE @budget_numbers (
    business_id bigint NOT NULL,
    number text COLLATE "C" NOT NULL,
    budget_id bigint NOT NULL,
    PRIMARY KEY (business_id, number)
  );
`;
