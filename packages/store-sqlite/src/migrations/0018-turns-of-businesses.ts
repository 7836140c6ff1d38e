import type { Migration } from "../engine/migrations.js";

/** The notes of each business are taken in their order. */
export const TURNS_OF_BUSINESSES: Migration = {
  version: 18,
  sql: `
    CREATE INDEX budgetkit_delivery_turns_of_business ON budgetkit_delivery_turns (business_id, position);
  `,
};
