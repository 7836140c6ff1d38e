const SEARCHED = ["budgets", "customers", "products", "packages"];
const NAMED = ["customers", "product_summaries"];
const CHANGES = ["insert", "update", "delete"];

/** Commits note texts for the search index and replace the mark of a catalog themselves. */
export const NOTES_BY_COMMITS = `
  ${SEARCHED.map(
    (table) => `
  DROP TRIGGER ${table}_are_noted ON @${table};
  DROP TRIGGER ${table}_are_noted_again ON @${table};`,
  ).join("")}
  ${NAMED.flatMap((table) =>
    CHANGES.map(
      (change) => `
  DROP TRIGGER ${table}_are_marked_by_${change} ON @${table};`,
    ),
  ).join("")}
  DROP FUNCTION @note_texts();
  DROP FUNCTION @mark_catalogs();
`;
