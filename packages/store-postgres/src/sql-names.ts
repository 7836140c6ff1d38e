import pg from "pg";

/** Statements name tables and functions of the store as `@budgets`; this puts the schema before each. */
export function nameIn(schema: string): (sql: string) => string {
  if (/['$\0]/.test(schema)) throw new RangeError("a schema's name has no quotation marks and no dollar signs in it");
  const prefix = `${pg.escapeIdentifier(schema)}.`;
  return (sql) => sql.replace(/@([a-z][a-z_]*)/g, (_, name: string) => `${prefix}${name}`);
}
