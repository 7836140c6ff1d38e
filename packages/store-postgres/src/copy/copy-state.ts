import { asDocument, asInteger, asText, type CopyCursor, type CopyState, orNull } from "@budgetkit/store-kit";
import { nameIn, type Session } from "../engine/session.js";

/** The copy that the data of a schema come from. Only a schema that was copied into has the table, with one row. */
export interface StoredCopy extends CopyState {
  readonly fingerprint: string;
}

export const COPY_TABLE = `
  CREATE TABLE IF NOT EXISTS @copies (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    fingerprint text NOT NULL, -- of the source
    place text, -- null = no row was loaded
    completed_at bigint
  )`;

/** The copy into a schema; null = there is none. */
export async function findCopy(session: Session, schema: string): Promise<StoredCopy | null> {
  const named = nameIn(schema);
  const [exists] = await session.run({ text: "SELECT to_regclass($1) IS NOT NULL" }, [named("@copies")]);
  if (exists?.[0] !== true) return null;
  const [row] = await session.run({ text: named("SELECT fingerprint, place, completed_at FROM @copies") }, []);
  if (row === undefined) return null;
  const [fingerprint, place, completedAt] = row;
  return {
    fingerprint: asText(fingerprint),
    place: orNull(place, asDocument<CopyCursor>),
    completedAt: orNull(completedAt, asInteger),
  };
}

/** A store on half of the data would add rows that the source does not have. */
export async function refuseHalfCopied(session: Session, schema: string): Promise<void> {
  const copy = await findCopy(session, schema);
  if (copy === null || copy.completedAt !== null) return;
  throw new Error(
    `a copy into the schema "${schema}" is not complete: start it again, or drop the schema to begin without it`,
  );
}
