/** The notes of each business are taken in their order, by the primary key: see `@start_turns`. */
export const TURNS_OF_BUSINESSES = `
  DROP INDEX @delivery_turns_in_order;
`;
