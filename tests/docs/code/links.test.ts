import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const within = (folder: string) => readdirSync(join(root, folder)).map((name) => join(folder, name));
const pages = [
  ...within(".").filter((path) => path.endsWith(".md")),
  ...["docs", "docs/internals"].flatMap(within).filter((path) => path.endsWith(".md")),
  ...[...within("packages"), ...within("examples"), "bench"].map((folder) => join(folder, "README.md")),
].filter((path) => existsSync(join(root, path)));

/** The text of a page without what stands in fences, where brackets are code. */
const proseOf = (path: string) => readFileSync(join(root, path), "utf8").replace(/^```.*?^```$/gms, "");

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  return [...proseOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("the pages", () => {
  it.each(pages)("%s links to existing files and headings", (page) => {
    const targets = [...proseOf(page).matchAll(/\]\((?![a-z]+:)([^)#]*)(?:#([^)]+))?\)/g)];
    const lost = targets.flatMap(([link, file = "", anchor]) => {
      const path = file === "" ? page : join(dirname(page), file);
      if (!existsSync(join(root, path))) return [link];
      return anchor === undefined || anchorsOf(path).includes(anchor) ? [] : [link];
    });
    expect(lost).toEqual([]);
  });

  it.each(pages)("%s leaves out numbers of seeds, rounds and tests, which the code decides", (page) => {
    const figures = proseOf(page).match(/\b\d[\d,]* (?:seeds|worlds|rounds|kills|planted bugs|bugs|tests|cases)\b/g);
    expect(figures).toBeNull();
  });
});
