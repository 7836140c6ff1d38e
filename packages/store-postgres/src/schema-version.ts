/**
 * Raised with every change of the functions, and of what processes write: a schema with a higher one is newer than the
 * release, which refuses to write to it.
 */
export const SCHEMA_VERSION = 20;
