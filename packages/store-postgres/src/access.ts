import type { AccessStore } from "@budgetkit/core/store";
import { postgresBusinesses } from "./businesses.js";
import type { Connection } from "./connection.js";
import { type KnownKeys, postgresKeys } from "./keys.js";
import { postgresSessions } from "./sessions.js";
import { postgresUsers } from "./users.js";

export function postgresAccess(connection: Connection, known: KnownKeys): AccessStore {
  return {
    ...postgresBusinesses(connection),
    ...postgresUsers(connection),
    ...postgresSessions(connection),
    ...postgresKeys(connection, known),
  };
}
