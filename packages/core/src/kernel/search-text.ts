/** Text as it is searched: lower case, so that a search is a plain substring and means the same in every store. */
export function foldForSearch(text: string): string {
  return text.toLowerCase();
}

/** Separates fields in the searched text; it is a control character that nobody searches for. */
const FIELD_SEPARATOR = "\u001f";

/** What a search looks through: the fields, folded, none running into the next. */
export function searchTextOfFields(fields: readonly string[]): string {
  return foldForSearch(fields.join(FIELD_SEPARATOR));
}
