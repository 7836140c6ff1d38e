import { fileURLToPath, pathToFileURL } from "node:url";

/** The location of the data. */
export type Database =
  | { readonly kind: "memory" } // lost when the process ends
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string };

/** Safe to print: these forms hold no password. */
const A_PATH = /^[\w./-]+$/;

/**
 * The database of a URL: `memory:`, a SQLite file by `file:` (relative to the working directory), or PostgreSQL by
 * `postgres:` or `postgresql:`. Throws an Error that names the problem of the URL.
 */
export function databaseOf(text: string): Database {
  if (text === "memory:") return { kind: "memory" };
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0].toLowerCase();
  if (scheme === "file:") return { kind: "file", path: pathOf(text) };
  if (scheme === "postgres:" || scheme === "postgresql:") return { kind: "postgres", url: text };
  const hint = A_PATH.test(text) ? `; a file is written as file:${text}` : ", there is no store for anything else";
  throw new Error(`must begin with file: or postgres:, or be memory:${hint}`);
}

function pathOf(text: string): string {
  const url = new URL(text, pathToFileURL(`${process.cwd()}/`));
  if (url.search !== "" || url.hash !== "") throw new Error("takes no parameters: write ? as %3F and # as %23");
  if (url.host !== "") throw new Error("must have no host: write file:./name.db, or file:/folder/name.db");
  if (url.pathname.endsWith("/")) throw new Error("must name a file, not a folder");
  return fileURLToPath(url);
}
