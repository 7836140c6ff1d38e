/** A fenced block of a Markdown page. */
export interface CodeBlock {
  readonly page: string; // its path from the root of the repository
  readonly language: string; // "" = none is said
  readonly line: number; // where its code begins on the page, from 1
  readonly code: string;
  readonly role: BlockRole;
}

/**
 * What a comment right before the block says of it, which readers do not see: `<!-- code: continues -->` that it goes on
 * from the block of the same language before it, `<!-- code: file lib/budgets.ts -->` that others on the page import it
 * by that name, `<!-- code: given service, actor -->` that it is a piece in which these names stand for what
 * {@link GIVEN} says, `<!-- code: excerpt packages/core/src/store.ts -->` that it is a part of this file, which is only parsed.
 * A block without a comment stands for itself.
 */
type BlockRole =
  | { readonly kind: "whole" }
  | { readonly kind: "continues" }
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "given"; readonly names: readonly string[] }
  | { readonly kind: "excerpt"; readonly file: string }; // its path from the root of the repository

const FENCE = /^( *)(`{3,}|~{3,})(.*)$/;
const COMMENT = /^ *<!-- code: (.*) -->$/;

/** The blocks of a page, in its order. Throws for a fence that is not closed and for a comment that says nothing known. */
export function codeBlocks(page: string, markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = markdown.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const [, indent = "", fence, language = ""] = FENCE.exec(lines[index] ?? "") ?? [];
    if (fence === undefined) continue;
    const last = lines.findIndex((line, at) => at > index && line.trim() === fence);
    if (last === -1) throw new Error(`${page}:${index + 1} is a block without an end`);
    const code = lines
      .slice(index + 1, last)
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    blocks.push({
      page,
      language: language.trim(),
      line: index + 2,
      code: `${code.join("\n")}\n`,
      role: roleOf(lines[index - 1] ?? "", `${page}:${index}`),
    });
    index = last;
  }
  return blocks;
}

function roleOf(line: string, place: string): BlockRole {
  const [, comment] = COMMENT.exec(line) ?? [];
  if (comment === undefined) return { kind: "whole" };
  const [, word, rest = ""] = /^(\w+) ?(.*)$/.exec(comment) ?? [];
  if (word === "continues" && rest === "") return { kind: "continues" };
  if (word === "file" && rest !== "") return { kind: "file", name: rest };
  if (word === "excerpt" && rest !== "") return { kind: "excerpt", file: rest };
  if (word === "given" && rest !== "") return { kind: "given", names: rest.split(", ") };
  throw new Error(`${place} says "${comment}" of a block, which means nothing`);
}
