import { StoreUnavailable, sharedAnswer } from "@budgetkit/core/store";
import type { PoolClient } from "pg";
import { storeFailure } from "./failures.js";
import type { FreeClients } from "./free-clients.js";
import type { Lineage } from "./lineage.js";

/**
 * Writes to the log and waits for its commit, as every write does: so it notices a standby, and a primary that waits for
 * a synchronous one. No other transaction waits for it. Returns the lineage.
 */
export const PROBE_FUNCTION = `
  CREATE OR REPLACE FUNCTION @probe_writes() RETURNS text LANGUAGE plpgsql AS $$
  DECLARE
    probe uuid := gen_random_uuid();
  BEGIN
    INSERT INTO @batches (id, answers) VALUES (probe, '[]');
    DELETE FROM @batches WHERE id = probe;
    RETURN @lineage();
  END $$;
`;

const REMEMBERED_MS = 1_000;
const COMMITS_WITHIN_MS = 1_500;
/** A write that is never answered is then given up, and a later call writes again. */
const GIVEN_UP_AFTER_MS = 15_000;
const CLOCK = { monotonicMs: () => performance.now() };

/**
 * Resolves with null, also where the pool is too busy to write. Rejects when a write fails, or is not answered within
 * {@link COMMITS_WITHIN_MS}; the wait for a connection does not count. Writes at most once a second, one at a time.
 */
export function createWriteProbe(
  clients: Pick<FreeClients, "use">,
  named: (sql: string) => string,
  lineage: Pick<Lineage, "note">,
): () => Promise<null> {
  const query = { text: named("SELECT @probe_writes()"), rowMode: "array", query_timeout: GIVEN_UP_AFTER_MS } as const;
  let isUnanswered = false;
  const write = async (client: PoolClient): Promise<void> => {
    isUnanswered = true;
    try {
      const { rows } = await client.query<unknown[]>(query);
      lineage.note(rows[0]?.[0]);
    } finally {
      isUnanswered = false;
    }
  };
  const begin = () =>
    new Promise<void>((resolve, reject) => {
      const begun = (client: PoolClient): Promise<void> => {
        const written = write(client);
        inTime(written).then(resolve, reject);
        return written; // until then the client is in use
      };
      if (isUnanswered) reject(new StoreUnavailable(WAITS));
      else clients.use(begun).then(() => resolve(), reject); // too busy
    });
  const shared = sharedAnswer(begin, REMEMBERED_MS, CLOCK);
  return async () => {
    await shared().catch((error: unknown) => Promise.reject(storeFailure(error)));
    return null;
  };
}

async function inTime(written: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable(WAITS)), COMMITS_WITHIN_MS);
  });
  try {
    await Promise.race([written, late]);
  } finally {
    clearTimeout(timer);
  }
}

const WAITS =
  "PostgreSQL cannot serve: a commit has waited for more than a second, as all do while a synchronous standby is away";
