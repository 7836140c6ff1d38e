const SEARCHED = ["budgets", "customers", "products", "packages"] as const;

/** Ids in a row of the table of waiting texts. */
const CHUNK = 256;

const chunksOf = (searched: string, rows: string) => `
    INSERT INTO @search_waiting (searched, business_id, ids, is_change)
    SELECT ${searched}, business_id, array_agg(id::text), false
    FROM (SELECT business_id, id, (row_number() OVER () - 1) / ${CHUNK} AS chunk FROM ${rows}) AS numbered
    GROUP BY business_id, chunk;`;

/**
 * The search index, in blocks of records instead of single records: an index of every trigram of a record costs a
 * creation more than all its other rows.
 *
 * A commit only notes the ids of its new and changed texts. Maintenance takes them into blocks of a few, each with the
 * trigrams of all its texts, as hashes. A note is deleted by the transaction that has read the text after it, so neither
 * a late commit nor a crash leaves a record out. A search reads the records that still wait one by one.
 *
 * The notes of the existing records are written before the old indexes are dropped, which locks the tables.
 */
export const SEARCH_BLOCKS = `
  CREATE TABLE @search_waiting (
    searched text COLLATE "C" NOT NULL, -- the table
    business_id bigint NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY,
    ids text[] COLLATE "C" NOT NULL,
    is_change boolean NOT NULL, -- the records may be in blocks, with former texts
    PRIMARY KEY (searched, business_id, number)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

  CREATE TABLE @search_blocks (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    searched text COLLATE "C" NOT NULL, -- the table
    business_id bigint NOT NULL,
    ids text[] COLLATE "C" NOT NULL,
    terms integer[] -- hashes of the trigrams and of the ids; null = not full yet, to be read one by one
  ) WITH (fillfactor = 90);
  ALTER TABLE @search_blocks ALTER terms SET STORAGE EXTERNAL; -- hashes do not compress
  CREATE UNIQUE INDEX search_blocks_open ON @search_blocks (searched, business_id) WHERE terms IS NULL;
  CREATE INDEX search_blocks_by_term ON @search_blocks USING gin (terms) WITH (gin_pending_list_limit = 512)
    WHERE terms IS NOT NULL;

  CREATE FUNCTION @note_texts() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      INSERT INTO @search_waiting (searched, business_id, ids, is_change)
      VALUES (TG_ARGV[0], new.business_id, ARRAY[new.id::text], true);
      RETURN NULL;
    END IF;${chunksOf("TG_ARGV[0]", "fresh")}
    RETURN NULL;
  END $$;
  ${SEARCHED.map(
    (table) => `
  CREATE TRIGGER ${table}_are_noted AFTER INSERT ON @${table} REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION @note_texts('${table}');
  CREATE TRIGGER ${table}_are_noted_again AFTER UPDATE OF search_text ON @${table}
  FOR EACH ROW WHEN (old.search_text <> new.search_text) EXECUTE FUNCTION @note_texts('${table}');`,
  ).join("")}
  ${SEARCHED.map((table) => chunksOf(`'${table}'`, `@${table}`)).join("")}
  ${SEARCHED.map((table) => `DROP INDEX @${table}_by_trigram;`).join(" ")}
  DROP FUNCTION @trigrams_of(bigint, text);
`;
