/** Names resolve to PostgreSQL's own functions and operators, even if a user of the database has made others of that name. */
const OWN_NAMES = "SET search_path = pg_catalog, pg_temp";

/**
 * A function keeps the plans of its statements. Plans that were made while its tables were empty ignore the indexes, and
 * stay until the tables are analyzed. Functions with these settings are planned along indexes from the beginning, and
 * once: planning for the values of each call would cost more than the statement.
 *
 * A join may still start at a large table that was empty when it was planned. Such functions look rows up one by one, by
 * subqueries that the planner cannot flatten, or by `ctid`.
 *
 * Without JIT: older servers rate a plan against these settings as so expensive that they compile it.
 */
export const ALONG_INDEXES = `${OWN_NAMES} SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan`;

/** The same for functions whose statements read in the order of an index. */
export const IN_INDEX_ORDER = `${ALONG_INDEXES} SET enable_sort = off`;
