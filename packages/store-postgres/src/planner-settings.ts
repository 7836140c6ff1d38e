/**
 * Functions and operators are PostgreSQL's own, whatever else the database's users have made of the same name: what a
 * function calls goes by this as well.
 */
const OWN_NAMES = "SET search_path = pg_catalog, pg_temp";

/**
 * A function keeps the plans of its statements, which may have been made while its tables were empty: then no index seems
 * worth while, and the choice stands until the tables are analyzed, however much they have grown. Functions with these
 * settings are planned along indexes from the beginning, and once: with values that vary much they would be planned for
 * each anew, which costs more than what they do.
 *
 * A join may still begin at a large table that seemed to be empty. Such functions look rows up one by one instead, by
 * subqueries that cannot be taken apart, or by their places in the table.
 *
 * Without JIT: to older servers a plan that goes the forbidden way, where there is no other, seems to be dear enough to be
 * compiled.
 */
export const ALONG_INDEXES = `${OWN_NAMES} SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off
  SET plan_cache_mode = force_generic_plan`;

/** The same for functions whose statements read in the order of an index. */
export const IN_INDEX_ORDER = `${ALONG_INDEXES} SET enable_sort = off`;
