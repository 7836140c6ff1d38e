import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * The path of the database file that a `file:` URL names, relative ones from the working directory;
 * null = `memory:`. Throws an Error that says what is wrong with the URL.
 */
export function databasePathOf(text: string): string | null {
  if (text === "memory:") return null;
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0].toLowerCase();
  if (scheme !== "file:") throw new Error("must begin with file: or be memory:, there is no store for anything else");
  return pathOf(text);
}

function pathOf(text: string): string {
  const url = new URL(text, pathToFileURL(`${process.cwd()}/`));
  if (url.search !== "" || url.hash !== "") throw new Error("takes no parameters: write ? as %3F and # as %23");
  if (url.host !== "") throw new Error("must have no host: write file:./name.db, or file:/folder/name.db");
  if (url.pathname.endsWith("/")) throw new Error("must name a file, not a folder");
  return fileURLToPath(url);
}
