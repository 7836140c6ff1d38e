/**
 * A function keeps the plans of its statements, which may have been made while its tables were empty: then no index seems
 * worth while, and the choice stands until the tables are analyzed, however much they have grown. Functions with these
 * settings are planned along indexes from the beginning.
 */
export const ALONG_INDEXES = `SET enable_seqscan = off SET enable_bitmapscan = off`;

/** The same for functions whose statements read in the order of an index, or look up what another statement gave. */
export const IN_INDEX_ORDER = `${ALONG_INDEXES}
  SET enable_sort = off SET enable_hashjoin = off SET enable_mergejoin = off`;
