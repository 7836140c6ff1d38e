import pg from "pg";

/** Statements name tables and functions of the store as `@budgets`; this puts the schema before each. */
export function nameIn(schema: string): (sql: string) => string {
  const prefix = `${pg.escapeIdentifier(schema)}.`;
  return (sql) => sql.replace(/@([a-z][a-z_]*)/g, (_, name: string) => `${prefix}${name}`);
}
