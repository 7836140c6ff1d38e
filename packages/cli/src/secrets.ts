import { generateSecret, type KeptSecrets, keepSecrets } from "./secret-file.js";
import type { Settings } from "./settings.js";

/** Those of the environment, or else those of the file beside the database; a database in memory needs no file. */
export function secretsOf({ BUDGETKIT_SECRET: given, DATABASE_URL: database }: Settings): KeptSecrets {
  if (given !== null) return { secrets: given, isNew: false };
  if (database.kind === "file") return keepSecrets(`${database.path}-secret`);
  return { secrets: [generateSecret()], isNew: true };
}
