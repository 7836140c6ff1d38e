const TABLES = ["customers", "product_summaries"] as const;

/** By how each kind of statement names the rows that it has changed. */
const CHANGED = { INSERT: "NEW", UPDATE: "NEW", DELETE: "OLD" } as const;

/**
 * Every statement that changes a name replaces the mark of the business, also one that bypasses the functions: of a
 * call that began before this step, or by hand. TRUNCATE and sessions that disable triggers bypass it. Of a row that
 * is moved to another business, which nothing here does, only the new business is marked.
 */
export const MARKS_BY_TRIGGERS = `
  CREATE FUNCTION @mark_catalogs() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    INSERT INTO @catalog_marks (business_id, mark)
    SELECT business_id, gen_random_uuid() FROM (SELECT DISTINCT business_id FROM changed ORDER BY business_id) AS businesses
    ON CONFLICT (business_id) DO UPDATE SET mark = excluded.mark;
    RETURN NULL;
  END $$;
  ${TABLES.flatMap((table) =>
    Object.entries(CHANGED).map(
      ([change, rows]) => `
  CREATE TRIGGER ${table}_are_marked_by_${change.toLowerCase()} AFTER ${change} ON @${table}
  REFERENCING ${rows} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION @mark_catalogs();`,
    ),
  ).join("")}
`;
