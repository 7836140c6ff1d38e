/** Whose clock decides: that of the process that asks, or that of the database, which is one for all. */
export type StoreClock = "caller" | "database";
