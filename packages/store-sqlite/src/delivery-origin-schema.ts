import type { Migration } from "./migrations.js";

/** Where the event of a delivery came from; of those that are there already nobody has told. */
export const DELIVERY_ORIGIN_MIGRATION: Migration = {
  version: 11,
  sql: "ALTER TABLE budgetkit_delivery_bodies ADD COLUMN origin TEXT;",
};
