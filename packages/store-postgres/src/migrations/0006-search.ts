/**
 * The search index; sums of upload charges.
 *
 * A trigram is indexed as a hash of its characters and the business, so a search reads the entries of its own business
 * only. PostgreSQL's own arrays suffice: no extension is needed, and every character counts, also signs and blanks. A
 * collision of hashes costs time only, because the text itself is compared too.
 *
 * The cost keeps the planner from computing trigrams row by row. New rows wait in the pending list of the index, which
 * every search reads, so it is kept short.
 */
export const SEARCH = `
  CREATE FUNCTION @trigrams_of(business bigint, content text) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000 SET search_path = pg_catalog, pg_temp AS $$
    SELECT array_agg(DISTINCT hashtextextended((first || second || third) COLLATE "C", business))
    FROM (
      SELECT character AS first, lead(character, 1) OVER text_order AS second, lead(character, 2) OVER text_order AS third
      FROM unnest(string_to_array(content, NULL)) WITH ORDINALITY AS characters (character, place)
      WINDOW text_order AS (ORDER BY place)
    ) AS trigrams
    WHERE third IS NOT NULL
  $$;
  ${["budgets", "customers", "products", "packages"]
    .map(
      (table) => `
  CREATE INDEX ${table}_by_trigram ON @${table} USING gin (@trigrams_of(business_id, search_text))
    WITH (gin_pending_list_limit = 512);`,
    )
    .join("")}

  -- The bytes of all charges of a subject, so that a decision does not read every charge.
  LOCK TABLE @uploads IN SHARE MODE;
  CREATE INDEX uploads_of_subject ON @uploads (subject, leaves_at);
  CREATE TABLE @upload_sums (
    subject text COLLATE "C" PRIMARY KEY,
    charges bigint NOT NULL,
    bytes numeric NOT NULL
  ) WITH (fillfactor = 50); -- room for HOT updates: each charge rewrites a row
  INSERT INTO @upload_sums (subject, charges, bytes)
  SELECT subject, count(*), sum(bytes) FROM @uploads GROUP BY subject;
  CREATE FUNCTION @sum_uploads() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO @upload_sums AS stored (subject, charges, bytes) VALUES (new.subject, 1, new.bytes)
      ON CONFLICT (subject) DO UPDATE SET charges = stored.charges + 1, bytes = stored.bytes + excluded.bytes;
    ELSIF TG_OP = 'UPDATE' THEN
      UPDATE @upload_sums SET bytes = bytes + new.bytes - old.bytes WHERE subject = new.subject;
    ELSE
      UPDATE @upload_sums SET charges = charges - 1, bytes = bytes - old.bytes WHERE subject = old.subject;
      DELETE FROM @upload_sums WHERE subject = old.subject AND charges = 0;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER uploads_are_summed AFTER INSERT OR UPDATE OF bytes OR DELETE ON @uploads
  FOR EACH ROW EXECUTE FUNCTION @sum_uploads();
`;
