import { StoreUnavailable } from "@budgetkit/core/store";
import { codeOf } from "./failures.js";
import { isCurrent, NewerSchema, type SchemaDefinition } from "./migrations.js";
import type { Session } from "./session.js";

/**
 * SQLSTATEs of a function, table, column or type that is not there, or has other parameters; 0A000: the result of a
 * prepared statement would have other columns.
 */
const UNFITTING = /^42(?:883|P01|703|704|P13)$|^0A000$/;

/** Rejects with the error to throw instead of one of a statement. */
export type Explain = (error: unknown) => Promise<never>;

/**
 * Explains why a statement does not fit the schema: a newer release has migrated it under this process. That is
 * StoreUnavailable, after `onNewer`.
 */
export function newerSchemaExplainer(
  session: Session,
  schema: string,
  definition: SchemaDefinition,
  onNewer: (reason: string) => void,
): Explain {
  return async (error) => {
    if (!UNFITTING.test(codeOf(error))) throw error;
    const newer = await isCurrent(session, schema, definition).then(
      () => null,
      (found: unknown) => (found instanceof NewerSchema ? found : null),
    );
    if (newer === null) throw error;
    onNewer(newer.message);
    throw new StoreUnavailable(newer.message, { cause: error });
  };
}

/** A session whose errors are explained. */
export function explained(session: Session, explain: Explain): Session {
  return { run: (statement, values) => session.run(statement, values).catch(explain) };
}
