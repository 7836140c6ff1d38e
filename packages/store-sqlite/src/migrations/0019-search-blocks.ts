import type { Migration } from "../engine/migrations.js";

/** The tables that are searched. */
const SEARCHED = ["budgets", "customers", "products", "packages"] as const;

/**
 * The search index receives the texts of eight numbers as one row, which has the first of them as its number. Rows that are
 * there stay, with one text each.
 *
 * Triggers number the records and note a block of 256 numbers that is full. The store indexes it before it commits, and notes
 * its large texts. SQLite keeps a copy of each page that a statement changes when one of its triggers calls a function, writes
 * to a virtual table or has DO UPDATE: so these have none.
 */
export const SEARCH_BLOCKS: Migration = {
  version: 19,
  sql: `
    CREATE TABLE budgetkit_search_full (
      last INTEGER PRIMARY KEY -- number of a block that the index does not have yet
    ) STRICT;
    ${["INSERT", "UPDATE OF number"].map(noteOf).join("")}
    ${SEARCHED.map(stepsOf).join("")}
  `,
};

function noteOf(change: string): string {
  return `
    CREATE TRIGGER budgetkit_search_full_after_${change.split(" ")[0]?.toLowerCase()} AFTER ${change} ON budgetkit_search_numbers
    WHEN new.number % 256 = 255 BEGIN
      INSERT INTO budgetkit_search_full (last) VALUES (new.number);
    END;`;
}

function stepsOf(searched: (typeof SEARCHED)[number]): string {
  const table = `budgetkit_${searched}`;
  const ownSlot = `(
        SELECT slot FROM budgetkit_search_slots WHERE searched = '${searched}' AND business_id = new.business_id)`;
  const nextNumber = `coalesce(
        (SELECT number + 1 FROM budgetkit_search_numbers
         WHERE number BETWEEN own.slot << 32 AND (own.slot << 32) + 4294967295 ORDER BY number DESC LIMIT 1),
        own.slot << 32)`;
  return `
    DROP TRIGGER ${table}_are_numbered;
    CREATE TRIGGER ${table}_are_numbered AFTER INSERT ON ${table} BEGIN
      INSERT INTO budgetkit_search_slots (searched, business_id) VALUES ('${searched}', new.business_id)
      ON CONFLICT (searched, business_id) DO NOTHING;
      INSERT INTO budgetkit_search_numbers (number, slot, id)
      SELECT ${nextNumber}, own.slot, new.id FROM ${ownSlot} AS own;
    END;
    DROP TRIGGER ${table}_are_renumbered;
    CREATE TRIGGER ${table}_are_renumbered AFTER UPDATE OF search_text ON ${table}
    WHEN old.search_text <> new.search_text BEGIN
      UPDATE budgetkit_search_numbers SET number = (SELECT ${nextNumber} FROM (SELECT slot) AS own)
      WHERE slot = ${ownSlot} AND id = new.id;
      DELETE FROM budgetkit_search_large
      WHERE searched = '${searched}' AND business_id = new.business_id AND id = new.id;
    END;`;
}
