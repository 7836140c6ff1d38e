export { openPostgresTarget, type PostgresTargetOptions } from "./copy/data-target.js";
export { type PostgresStoreOptions, postgresStore } from "./postgres-store.js";
