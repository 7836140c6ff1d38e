/** The part of an address that lists of records have in common, read from text that may have been typed. */
export interface RecordsSearch {
  readonly q?: string;
  readonly deleted?: true;
  readonly sort?: "name"; // absent = newest first
}

const LONGEST_SEARCH = 200;

export function readRecordsSearch({ q, deleted, sort }: Record<string, unknown>): RecordsSearch {
  const text = typeof q === "number" || typeof q === "string" ? String(q).trim().slice(0, LONGEST_SEARCH) : "";
  return {
    ...(text === "" ? {} : { q: text }),
    ...(deleted === true ? { deleted } : {}),
    ...(sort === "name" ? { sort } : {}),
  };
}
