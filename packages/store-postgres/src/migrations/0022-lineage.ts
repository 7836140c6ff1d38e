/**
 * Which line of commits the ids of each business continue. The default names the present one in every row, also in those
 * that a copy loads.
 *
 * The name holds the cluster, the table and, at its end, the timeline. A promotion and a recovery to a point in time begin
 * another timeline, a restored dump has another table. NULL during recovery, when nothing is written.
 */
export const LINEAGE = `
  CREATE FUNCTION @lineage() RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    cluster text := '';
    timeline bigint := 0;
  BEGIN
    IF pg_is_in_recovery() THEN RETURN NULL; END IF;
    BEGIN
      SELECT system_identifier INTO cluster FROM pg_control_system();
    EXCEPTION WHEN feature_not_supported OR insufficient_privilege THEN
      NULL; -- a service that reserves it for its own roles
    END;
    BEGIN
      timeline := ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint;
    EXCEPTION WHEN feature_not_supported OR insufficient_privilege THEN
      NULL; -- a service that replaces the log of PostgreSQL by storage of its own
    END;
    RETURN concat(cluster, '.', '@ids'::regclass::oid, '.', timeline);
  END $$;

  ALTER TABLE @ids ADD COLUMN lineage text COLLATE "C" NOT NULL DEFAULT @lineage();
  ALTER TABLE @id_ranges ADD COLUMN lineage text COLLATE "C" NOT NULL DEFAULT @lineage();
`;
