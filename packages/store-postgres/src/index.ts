export { openPostgresTarget, type PostgresTargetOptions } from "./copy/data-target.js";
export { isDistributed } from "./distribution/distribute.js";
export { type PostgresStoreOptions, postgresStore } from "./postgres-store.js";
