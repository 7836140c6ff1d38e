import type { Migration } from "../engine/migrations.js";

/** The tables that are searched. */
const SEARCHED = ["budgets", "customers", "products", "packages"] as const;

/** In characters. A block of 256 random texts of this length takes the index less than a second. */
const LARGEST_INDEXED = 4_000;

/**
 * The search index receives no large texts: a block of them would hold the write lock for many seconds. Each search reads
 * the records with a large text one by one.
 */
export const LARGE_TEXTS: Migration = {
  version: 7,
  sql: `
    CREATE TABLE budgetkit_search_large (
      searched TEXT NOT NULL, -- the table
      business_id INTEGER NOT NULL,
      id ANY NOT NULL, -- of the record
      PRIMARY KEY (searched, business_id, id)
    ) STRICT, WITHOUT ROWID;
    ${SEARCHED.map(stepsOf).join("\n")}
  `,
};

function stepsOf(searched: (typeof SEARCHED)[number]): string {
  const table = `budgetkit_${searched}`;
  const ownSlot = `(
        SELECT slot FROM budgetkit_search_slots WHERE searched = '${searched}' AND business_id = new.business_id)`;
  const nextNumber = `coalesce(
          (SELECT number + 1 FROM budgetkit_search_numbers
           WHERE number BETWEEN own.slot << 32 AND (own.slot << 32) + 4294967295 ORDER BY number DESC LIMIT 1),
          own.slot << 32)`;
  const numberRecord = `
      INSERT INTO budgetkit_search_slots (searched, business_id) VALUES ('${searched}', new.business_id)
      ON CONFLICT (searched, business_id) DO NOTHING;
      INSERT INTO budgetkit_search_numbers (number, slot, id)
      SELECT ${nextNumber}, own.slot, new.id FROM (SELECT ${ownSlot} AS slot) AS own WHERE true
      ON CONFLICT (slot, id) DO UPDATE SET number = excluded.number;
      INSERT INTO budgetkit_search_large (searched, business_id, id)
      SELECT '${searched}', new.business_id, new.id WHERE length(new.search_text) > ${LARGEST_INDEXED}
      ON CONFLICT (searched, business_id, id) DO NOTHING;
      INSERT INTO budgetkit_search_index (rowid, search_text)
      SELECT numbers.number, record.search_text
      FROM budgetkit_search_numbers AS numbers
      CROSS JOIN budgetkit_search_slots AS slots ON slots.slot = numbers.slot
      CROSS JOIN ${table} AS record ON record.business_id = slots.business_id AND record.id = numbers.id
      WHERE length(record.search_text) <= ${LARGEST_INDEXED} AND numbers.number BETWEEN
        (SELECT number - 255 FROM budgetkit_search_numbers
         WHERE slot = ${ownSlot} AND id = new.id AND number % 256 = 255)
        AND (SELECT number FROM budgetkit_search_numbers WHERE slot = ${ownSlot} AND id = new.id);`;
  return `
    INSERT INTO budgetkit_search_large (searched, business_id, id)
    SELECT '${searched}', business_id, id FROM ${table} WHERE length(search_text) > ${LARGEST_INDEXED};
    DROP TRIGGER ${table}_are_numbered;
    CREATE TRIGGER ${table}_are_numbered AFTER INSERT ON ${table} BEGIN ${numberRecord}
    END;
    DROP TRIGGER ${table}_are_renumbered;
    CREATE TRIGGER ${table}_are_renumbered AFTER UPDATE OF search_text ON ${table}
    WHEN old.search_text <> new.search_text BEGIN
      DELETE FROM budgetkit_search_large
      WHERE searched = '${searched}' AND business_id = new.business_id AND id = new.id
        AND length(new.search_text) <= ${LARGEST_INDEXED};${numberRecord}
    END;`;
}
