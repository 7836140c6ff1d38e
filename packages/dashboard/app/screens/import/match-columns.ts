/** A field that a column can be for. */
export interface ImportField<F extends string> {
  readonly name: F;
  readonly isRequired: boolean;
  /** Names that columns for it have, in the languages of the dashboard. */
  readonly headers: readonly string[];
}

/** For each column of a file, its field; null = it is left out. */
export type ColumnMapping<F extends string> = readonly (F | null)[];

const SHORTEST_PART = 5;

/** Guesses by the names of the columns what each is for. No field is given twice. */
export function matchColumns<F extends string>(
  headers: readonly string[],
  fields: readonly ImportField<F>[],
): ColumnMapping<F> {
  const folded = headers.map(fold);
  const mapping: (F | null)[] = headers.map(() => null);
  for (const isMatch of [isSame, isPart]) {
    for (const field of fields) {
      if (mapping.includes(field.name)) continue;
      const names = [field.name, ...field.headers].map(fold);
      const column = folded.findIndex(
        (header, index) => mapping[index] === null && names.some((name) => isMatch(header, name)),
      );
      if (column !== -1) mapping[column] = field.name;
    }
  }
  return mapping;
}

/** The mapping with another field for a column; the column that had the field is left out then. */
export function withColumn<F extends string>(
  mapping: ColumnMapping<F>,
  column: number,
  field: F | null,
): ColumnMapping<F> {
  return mapping.map((each, index) => (index === column ? field : each === field ? null : each));
}

function isSame(header: string, name: string): boolean {
  return header === name;
}

function isPart(header: string, name: string): boolean {
  return name.length >= SHORTEST_PART && header.includes(name);
}

/** Without accents, case, spaces and signs: "E-mail (trabajo)" becomes "emailtrabajo". */
function fold(text: string): string {
  return text
    .slice(0, 200)
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
