import { StoreUnavailable } from "@budgetkit/core/store";
import { type CopyProgress, CopyRefused, type CopyReport, copyData } from "@budgetkit/store-kit";
import { openPostgresTarget } from "@budgetkit/store-postgres";
import { openSqliteSource } from "@budgetkit/store-sqlite";
import type { Database } from "../settings/database-url.js";

export interface CopyOrder {
  readonly from: Extract<Database, { kind: "file" }>;
  readonly to: Extract<Database, { kind: "postgres" }>;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/**
 * Copies a SQLite file into PostgreSQL and compares the two. A second start resumes an interrupted copy. The report names
 * differences. Rejects with CopyRefused for a problem that the operator can fix.
 */
export async function copyDatabase({ from, to, onProgress }: CopyOrder): Promise<CopyReport> {
  const source = await openSqliteSource(from.path).catch(refusing("the database to copy from"));
  try {
    const target = await openPostgresTarget(to.url).catch(refusing("the database to copy to"));
    try {
      return await copyData(source, target, onProgress === undefined ? {} : { onProgress });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new CopyRefused(`${error.message}\nStart the command again to resume the copy.`);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function refusing(database: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof CopyRefused) throw error;
    throw new CopyRefused(`${database} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  };
}
