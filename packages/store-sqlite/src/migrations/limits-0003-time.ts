import type { Migration } from "../engine/migrations.js";

/** How the time of the file follows from the machine's uptime. */
export const TIME: Migration = {
  version: 3,
  sql: `
    CREATE TABLE budgetkit_limit_time (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      uptime_began_at INTEGER NOT NULL -- the time of the file minus the uptime, in ms
    ) STRICT;
  `,
};
