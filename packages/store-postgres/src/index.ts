export { type PostgresStoreOptions, postgresStore } from "./postgres-store.js";
