import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type MarkdownOptions } from "vitepress";
import { sidebar } from "./sidebar.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where the source files are shown, such as https://host/owner/name/blob/main. Without it, links to them become text. */
const sourceUrl = process.env.SOURCE_URL;

/** Tables with long names fit the page on wide screens; narrow screens scroll them. */
const style = "@media (min-width: 768px) { .vp-doc td:not(:first-child) code { overflow-wrap: anywhere; } }";

export default defineConfig({
  title: "Budgetkit",
  description: "Budgets for your application: a TypeScript library with an HTTP API",
  head: [["style", {}, style]],
  srcDir: root,
  srcExclude: ["**/dist/**", "**/coverage/**", "**/CHANGELOG.md"],
  rewrites: (page) => sitePath(page),
  themeConfig: {
    sidebar,
    search: { provider: "local" },
    outline: { level: [2, 3] },
  },
  markdown: { anchor: { slugify }, config: (markdown) => markdown.core.ruler.push("repository_links", rewriteLinks) },
  buildEnd: ({ pages }) => {
    const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => link));
    const missing = pages.map(linkTo).filter((link) => !listed.includes(link));
    if (missing.length > 0) throw new Error(`The sidebar lacks ${missing.join(", ")}`);
  },
});

/** The place of a page on the site: docs/http.md is http.md, packages/core/README.md is packages/core.md. */
function sitePath(page: string): string {
  if (page === "README.md") return "index.md";
  return page
    .replace(/^docs\//, "")
    .replace(/\/README\.md$/, ".md")
    .toLowerCase();
}

function linkTo(page: string): string {
  return `/${sitePath(page)
    .replace(/^index\.md$/, "")
    .replace(/\.md$/, "")}`;
}

/** Anchors as code hosts make them, so that one link works in both places. */
function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];
type State = Parameters<Parameters<Markdown["core"]["ruler"]["push"]>[1]>[0];

/** Points relative links at the site's pages, and links to any other file of the repository at the source. */
function rewriteLinks({ tokens, env }: State): void {
  const page: string = env.realPath ?? env.path;
  const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type.startsWith("link_"));
  links.forEach((open, index) => {
    const href = open.attrGet("href");
    if (open.type !== "link_open" || href === null || /^(?:[a-z]+:|#)/.test(href)) return;
    const [file = "", anchor] = href.split("#");
    const path = relative(root, resolve(dirname(page), file));
    const target = existsSync(join(root, path, "README.md")) ? join(path, "README.md") : path;
    if (target.endsWith(".md")) {
      open.attrSet("href", linkTo(target) + (anchor === undefined ? "" : `#${anchor}`));
    } else if (sourceUrl !== undefined) {
      open.attrSet("href", `${sourceUrl}/${path}`);
    } else {
      for (const token of [open, links[index + 1]]) if (token) token.type = "text"; // without content: no link
    }
  });
}
