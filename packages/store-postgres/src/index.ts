export { openPostgresTarget, type PostgresTargetOptions } from "./data-target.js";
export { type PostgresStoreOptions, postgresStore } from "./postgres-store.js";
