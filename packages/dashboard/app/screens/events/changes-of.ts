/** A field that changed, with texts to show. */
export interface ShownChange {
  readonly field: string;
  readonly before: string | null; // null = none
  readonly after: string | null;
}

const MOST = 50;
const LONGEST = 160;

type Fields = Readonly<Record<string, unknown>>;

/** Reads both forms of changes: the list of an event, and the fields of an audit entry. */
export function changesOf(changes: unknown): readonly ShownChange[] {
  if (Array.isArray(changes)) return changes.slice(0, MOST).flatMap(ofList);
  return Object.entries(fieldsOf(changes))
    .slice(0, MOST)
    .map(([field, value]) => {
      const { from, to } = fieldsOf(value);
      return { field, before: textOf(from), after: textOf(to) };
    });
}

function ofList(value: unknown): ShownChange[] {
  const { kind, field, before, after, id, item, fields } = fieldsOf(value);
  const name = typeof id === "string" ? id : "";
  switch (kind) {
    case "field":
      return typeof field === "string" ? [{ field, before: textOf(before), after: textOf(after) }] : [];
    case "item-added":
      return [{ field: `+ ${name}`, before: null, after: textOf(fieldsOf(item).description) }];
    case "item-removed":
      return [{ field: `− ${name}`, before: textOf(fieldsOf(item).description), after: null }];
    case "item-changed":
      return Array.isArray(fields)
        ? fields.slice(0, MOST).map((each: unknown) => {
            const change = fieldsOf(each);
            return {
              field: `${name} ${textOf(change.field) ?? ""}`,
              before: textOf(change.before),
              after: textOf(change.after),
            };
          })
        : [];
    case "items-reordered":
      return [{ field: "items", before: textOf(before), after: textOf(after) }];
    default:
      return [];
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
