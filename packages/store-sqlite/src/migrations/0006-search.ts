import type { Migration } from "../engine/migrations.js";

/** The tables that are searched. */
const SEARCHED = ["budgets", "customers", "products", "packages"] as const;

/**
 * The search index; indexes for lists of overdue budgets; sums of upload charges.
 *
 * Search: each record has a number: the slot of its table and business, times 2^32, plus a count. Triggers
 * number the records, so that every write is covered.
 *
 * FTS5 is slow for single rows, so it receives complete blocks of 256 numbers. A search reads the rows of the last,
 * incomplete block one by one. A record with a new text gets a new number; the postings of the former number then lead
 * to no record.
 */
export const SEARCH: Migration = {
  version: 6,
  sql: `
    CREATE TABLE budgetkit_search_slots (
      slot INTEGER PRIMARY KEY,
      searched TEXT NOT NULL, -- the table
      business_id INTEGER NOT NULL,
      UNIQUE (searched, business_id)
    ) STRICT;

    CREATE TABLE budgetkit_search_numbers (
      number INTEGER PRIMARY KEY,
      slot INTEGER NOT NULL,
      id ANY NOT NULL, -- of the record
      UNIQUE (slot, id)
    ) STRICT;

    CREATE VIRTUAL TABLE budgetkit_search_index USING fts5(
      search_text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
    );
    ${SEARCHED.map(stepsOf).join("\n")}

    -- With valid_until, a list of PENDING budgets skips the overdue ones without table access.
    DROP INDEX budgetkit_budgets_by_status;
    CREATE INDEX budgetkit_budgets_by_status ON budgetkit_budgets (business_id, status, created_at, id, valid_until);
    DROP INDEX budgetkit_budgets_by_total;
    CREATE INDEX budgetkit_budgets_by_total
      ON budgetkit_budgets (business_id, total, created_at, id, status, valid_until);
    -- With the columns of every order, the overdue budgets of a page are chosen without table access.
    DROP INDEX budgetkit_budgets_overdue_of_business;
    CREATE INDEX budgetkit_budgets_overdue_of_business
      ON budgetkit_budgets (business_id, valid_until, created_at, id, total, customer_id)
      WHERE status = 'PENDING' AND valid_until IS NOT NULL;

    -- The bytes of all charges of a subject, so that a decision does not read every charge.
    CREATE INDEX budgetkit_uploads_of_subject ON budgetkit_uploads (subject, leaves_at, hold_id, bytes);
    CREATE TABLE budgetkit_upload_sums (
      subject TEXT PRIMARY KEY,
      charges INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO budgetkit_upload_sums (subject, charges, bytes)
    SELECT subject, count(*), sum(bytes) FROM budgetkit_uploads GROUP BY subject;
    CREATE TRIGGER budgetkit_uploads_are_added AFTER INSERT ON budgetkit_uploads BEGIN
      INSERT INTO budgetkit_upload_sums (subject, charges, bytes) VALUES (new.subject, 1, new.bytes)
      ON CONFLICT (subject) DO UPDATE SET charges = charges + 1, bytes = bytes + excluded.bytes;
    END;
    CREATE TRIGGER budgetkit_uploads_are_resized AFTER UPDATE OF bytes ON budgetkit_uploads BEGIN
      UPDATE budgetkit_upload_sums SET bytes = bytes + new.bytes - old.bytes WHERE subject = new.subject;
    END;
    CREATE TRIGGER budgetkit_uploads_are_removed AFTER DELETE ON budgetkit_uploads BEGIN
      UPDATE budgetkit_upload_sums SET charges = charges - 1, bytes = bytes - old.bytes WHERE subject = old.subject;
      DELETE FROM budgetkit_upload_sums WHERE subject = old.subject AND charges = 0;
    END;
  `,
};

function stepsOf(searched: (typeof SEARCHED)[number]): string {
  const table = `budgetkit_${searched}`;
  const ownSlot = `(
        SELECT slot FROM budgetkit_search_slots WHERE searched = '${searched}' AND business_id = new.business_id)`;
  const texts = `SELECT numbers.number, record.search_text
      FROM budgetkit_search_numbers AS numbers
      CROSS JOIN budgetkit_search_slots AS slots ON slots.slot = numbers.slot
      CROSS JOIN ${table} AS record ON record.business_id = slots.business_id AND record.id = numbers.id`;
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
      INSERT INTO budgetkit_search_index (rowid, search_text)
      ${texts}
      WHERE numbers.number BETWEEN
        (SELECT number - 255 FROM budgetkit_search_numbers
         WHERE slot = ${ownSlot} AND id = new.id AND number % 256 = 255)
        AND (SELECT number FROM budgetkit_search_numbers WHERE slot = ${ownSlot} AND id = new.id);`;
  return `
    INSERT INTO budgetkit_search_slots (searched, business_id) SELECT DISTINCT '${searched}', business_id FROM ${table};
    INSERT INTO budgetkit_search_numbers (number, slot, id)
    SELECT (slot << 32) + row_number() OVER (PARTITION BY slot ORDER BY created_at, id) - 1, slot, id
    FROM ${table} JOIN budgetkit_search_slots AS slots USING (business_id) WHERE searched = '${searched}';
    INSERT INTO budgetkit_search_index (rowid, search_text)
    ${texts}
    WHERE slots.searched = '${searched}' AND numbers.number < (
      SELECT max(number) + 1 - (max(number) + 1) % 256 FROM budgetkit_search_numbers AS last
      WHERE last.number BETWEEN slots.slot << 32 AND (slots.slot << 32) + 4294967295
    );
    CREATE TRIGGER ${table}_are_numbered AFTER INSERT ON ${table} BEGIN ${numberRecord}
    END;
    CREATE TRIGGER ${table}_are_renumbered AFTER UPDATE OF search_text ON ${table}
    WHEN old.search_text <> new.search_text BEGIN ${numberRecord}
    END;`;
}
