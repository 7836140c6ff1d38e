import { existsSync, statSync } from "node:fs";
import type { Database } from "../settings/database-url.js";
import { keepSecrets } from "../settings/secret-file.js";
import { type Finding, ok, reasonOf, warning, wrong } from "./checks.js";

const OTHERS_MAY = 0o077;

/** Checks the secret file. A secret in the environment is checked with the settings. */
export function checkSecret(given: readonly string[] | null, database: Database): Finding[] {
  if (given !== null) {
    const count = given.length === 1 ? "one" : `${given.length}, of which the first signs`;
    return [ok("secret", `in BUDGETKIT_SECRET: ${count}`)];
  }
  if (database.kind !== "file") return [];
  const path = `${database.path}-secret`;
  if (!existsSync(path)) {
    if (!existsSync(database.path)) return [ok("secret", "the first start makes it, beside the database")];
    return [
      warning("secret", `${path} is missing: bring it back from a backup, or logins end and sealed secrets are lost`),
    ];
  }
  try {
    keepSecrets(path); // the file exists, so none is created
  } catch (error) {
    return [wrong("secret", reasonOf(error))];
  }
  if (process.platform !== "win32" && (statSync(path).mode & OTHERS_MAY) !== 0) {
    return [warning("secret", `others may read ${path}: chmod 600 ${path}`)];
  }
  return [ok("secret", path)];
}
