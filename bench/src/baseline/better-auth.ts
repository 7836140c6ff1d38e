import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import BetterSqlite3 from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";

const HOUR_MS = 3_600_000;
const HARDLY_A_LIMIT = 1_000_000_000;

/**
 * better-auth with its API-key plugin, which keeps one window a key, over a SQLite file. Commits do not wait for the
 * disk (NORMAL is what the driver has in WAL mode), which is quicker than what a service that must not forget would ask for.
 */
export async function openBetterAuth(path: string) {
  const database = new BetterSqlite3(path);
  database.pragma("journal_mode = WAL");
  const options = {
    database: { db: new Kysely<unknown>({ dialect: new SqliteDialect({ database }) }), type: "sqlite" as const },
    secret: "a secret for benchmarks, of no use elsewhere",
    baseURL: "http://127.0.0.1",
    emailAndPassword: { enabled: true },
    telemetry: { enabled: false },
    logger: { disabled: true },
    plugins: [apiKey({ rateLimit: { enabled: true, timeWindow: HOUR_MS, maxRequests: HARDLY_A_LIMIT } })],
  };
  const migrations = await getMigrations(options);
  await migrations.runMigrations();
  const auth = betterAuth(options);
  const { user } = await auth.api.signUpEmail({
    body: { name: "Benchmark", email: `bench-${Date.now()}@example.com`, password: "a password for benchmarks" },
  });
  const { key } = await auth.api.createApiKey({ body: { name: "bench", userId: user.id } });
  return {
    key,
    isValid: async (presented: string): Promise<boolean> => {
      const { valid } = await auth.api.verifyApiKey({ body: { key: presented } });
      return valid;
    },
  };
}
