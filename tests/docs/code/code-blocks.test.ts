import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { type CodeBlock, codeBlocks } from "./code-blocks.js";
import { GIVEN, typeFaults } from "./page-types.js";
import { callFaults } from "./shell-calls.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The pages for readers, by their paths from the root of the repository. */
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...["docs", "docs/internals"].flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)),
  ...["packages", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}/README.md`),
  ),
  "bench/README.md",
].filter((path) => path.endsWith(".md") && existsSync(join(root, path)));

const blocks = pages.flatMap((path) => codeBlocks(path, readFileSync(join(root, path), "utf8")));

/** What each block of a language is held to: it says what is wrong with one, null = nothing. */
const CHECKS: Readonly<Record<string, (code: string) => string | null>> = {
  json: complaintOf((code) => void JSON.parse(code)),
  http: complaintOf(readMessage),
  sh: (code) => complaintOfProgram("bash", ["-n"], code) ?? callFaults(code)[0] ?? null,
  python: (code) =>
    complaintOfProgram("python3", ["-c", "import sys; compile(sys.stdin.read(), 'page', 'exec')"], code),
  go: (code) => complaintOfProgram("gofmt", ["-e"], code),
};
const COMPILED = ["ts", "js"];
const NO_CODE = ["text"]; // drawings, and what programs print

const isHere = (program: string) => spawnSync("which", [program]).status === 0;
const MISSING = [
  ["python", "python3"],
  ["go", "gofmt"],
].flatMap(([language = "", program = ""]) => (isHere(program) ? [] : [language]));

describe("the code on the pages", () => {
  it("finds the pages whose code it checks", () => {
    expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/scaling.md", "packages/core/README.md"]));
  });

  it("every code block on the pages is in a language that is checked", () => {
    const known = [...Object.keys(CHECKS), ...COMPILED, ...NO_CODE];
    const others = blocks.filter(({ language }) => !known.includes(language));
    expect(others.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([]);
  });

  it("the TypeScript and JavaScript on the pages fits the types", () => {
    expect(faultsOn(...pages)).toEqual([]);
  });

  it("an excerpt on a page names an existing file, and parses", () => {
    const excerpts = blocks.flatMap((block) => (block.role.kind === "excerpt" ? [{ ...block, ...block.role }] : []));
    expect(excerpts.filter(({ file }) => !existsSync(join(root, file))).map(({ file }) => file)).toEqual([]);
    const faults = excerpts.flatMap(({ page, line, code }) => {
      const { diagnostics = [] } = ts.transpileModule(code, { reportDiagnostics: true });
      return diagnostics.map(
        ({ messageText }) => `${page}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
      );
    });
    expect(faults).toEqual([]);
  });

  it("code on the pages uses only the given names, and leaves none unused", () => {
    const used = new Set<string>();
    for (const { page, line, code, role } of blocks) {
      for (const name of role.kind === "given" ? role.names : []) {
        used.add(name);
        expect(code, `${page}:${line}`).toMatch(new RegExp(`\\b${name}\\b`));
      }
    }
    expect([...used].sort()).toEqual(Object.keys(GIVEN).sort());
  });

  for (const [language, complaintOf] of Object.entries(CHECKS)) {
    it.skipIf(MISSING.includes(language))(`code in ${language} on the pages is correct`, () => {
      const faults = blocks
        .filter((block) => block.language === language)
        .flatMap(({ page, line, code }) => {
          const complaint = complaintOf(code);
          return complaint === null ? [] : [`${page}:${line} ${complaint}`];
        });
      expect(faults).toEqual([]);
    });
  }
});

/** A page of its own for the checks themselves. */
function blocksIn(...lines: string[]): CodeBlock[] {
  return codeBlocks("docs/page.md", lines.join("\n"));
}

const ROLES = [
  "```ts",
  "const budget: string = '1';",
  "```",
  "<!-- code: continues -->",
  "```ts",
  "console.log(budget.length);",
  "```",
  "<!-- code: file lib/two.ts -->",
  "```ts",
  "export const two = 2;",
  "```",
  "<!-- code: file app/four.ts -->",
  "```ts",
  `import { two } from "@/lib/two";`,
  "export const four: number = two * 2;",
  "```",
  "<!-- code: given service -->",
  "```ts",
  "await service.start();",
  "```",
];

/** Pages for the checks themselves, by their paths. */
const OWN_PAGES: Readonly<Record<string, readonly string[]>> = {
  "own/faults.md": [
    "# A",
    "```ts",
    `import express from "express";`,
    "express(1, 2);",
    "```",
    "```js",
    "nothing();",
    "```",
  ],
  "own/roles.md": ROLES,
  "own/no-roles.md": ROLES.filter((line) => !line.startsWith("<!--")).map((line) => line.replace("@/lib", "@/lost")),
};

let faults: readonly string[] | null = null;

/** What the compiler reports of these pages. It takes seconds, so it compiles all pages together, once. */
function faultsOn(...paths: readonly string[]): readonly string[] {
  const own = Object.entries(OWN_PAGES).flatMap(([path, lines]) => codeBlocks(path, lines.join("\n")));
  const programs = [...blocks, ...own].filter(({ role }) => role.kind !== "excerpt");
  faults ??= typeFaults(programs.filter(({ language }) => COMPILED.includes(language)));
  const ofOthers = [...pages, ...Object.keys(OWN_PAGES)].filter((path) => !paths.includes(path));
  return faults.filter((fault) => !ofOthers.some((path) => fault.startsWith(`${path}/`)));
}

describe("the check of code on pages", () => {
  it("the check of code reports the line of a fault", () => {
    const [first, second, ...others] = faultsOn("own/faults.md");
    expect(first).toMatch(/^own\/faults\.md\/3\.ts\(4,\d+\): error TS2554: /);
    expect(second).toMatch(/^own\/faults\.md\/7\.js\(7,1\): error TS2304: /);
    expect(others).toEqual([]);
  });

  it("the check of code joins continued blocks, gives names, and lets files import each other", () => {
    expect(faultsOn("own/roles.md")).toEqual([]);
    const found = faultsOn("own/no-roles.md");
    const missing = [/ name 'budget'/, / module '@\/lost\/two'/, / name 'service'/];
    expect(found).toEqual(expect.arrayContaining(missing.map((fault) => expect.stringMatching(fault))));
  });

  it("the check of code refuses a block without an end, and comments without meaning", () => {
    expect(() => blocksIn("```ts", "1;")).toThrow("docs/page.md:1 is a block without an end");
    expect(() => blocksIn("<!-- code: wishes -->", "```ts", "1;", "```")).toThrow(`docs/page.md:1 says "wishes"`);
    expect(() => typeFaults(blocksIn("<!-- code: given gold -->", "```ts", "gold;", "```"))).toThrow(`"gold"`);
    expect(() => typeFaults(blocksIn("<!-- code: continues -->", "```ts", "1;", "```"))).toThrow("continues nothing");
  });

  it.each([
    ["budgetkit paint", /there is no command paint/],
    ["KEY=$(npx budgetkit key list --colour red | tail -1)", /there is no --colour/],
    ["echo word | npx @budgetkit/cli key", /there is no command/],
    ["npm start -- key revoke --json", /takes 1 arguments and not 0/],
    ["budgetkit serve --port", /argument missing/],
    ["A=1 npm start; exec budgetkit doctor now", /takes 0 arguments and not 1/],
  ])("the check of code reports an unknown command or flag of budgetkit: %s", (script, fault) => {
    expect(callFaults(script)).toEqual([expect.stringMatching(fault)]);
  });

  it("the check of code accepts the commands and flags of budgetkit", () => {
    const script = `
      # budgetkit paint
      A=1 npm start
      echo 'budgetkit paint' > budgetkit.txt # budgetkit paint
      budgetkit help key create
      budgetkit key --help
      budgetkit key rotate "$KEY" --business "$B" \\
        --grace-seconds 3600 < budgetkit.txt 2>&1 | sed 's/budgetkit paint//'`;
    expect(callFaults(script)).toEqual([]);
  });

  it("the check of code requires the form of an HTTP message", () => {
    expect(CHECKS.http?.("POST /hooks HTTP/1.1\nA: b\n\n{}\n")).toBeNull();
    expect(CHECKS.http?.("POST /hooks\nA: b\n\n{}\n")).toContain("POST /hooks");
    expect(CHECKS.http?.("POST /hooks HTTP/1.1\nA\n\n{}\n")).toContain("A");
    expect(CHECKS.http?.("POST /hooks HTTP/1.1\nA: b\n\n{\n")).toContain("JSON");
  });
});

/** Throws for what is not a request or an answer with a body in JSON, or none. */
function readMessage(code: string): void {
  const [head = "", body = ""] = code.trimEnd().split("\n\n");
  const [start = "", ...headers] = head.split("\n");
  if (!/^(?:[A-Z]+ \/\S* HTTP\/1\.1|HTTP\/1\.1 \d{3} .+)$/.test(start)) throw new Error(`wrong first line: ${start}`);
  const wrong = headers.find((line) => !/^[\w-]+: \S/.test(line));
  if (wrong !== undefined) throw new Error(`no header: ${wrong}`);
  if (body !== "") JSON.parse(body);
}

function complaintOf(read: (code: string) => void): (code: string) => string | null {
  return (code) => {
    try {
      read(code);
      return null;
    } catch (error) {
      return String(error);
    }
  };
}

function complaintOfProgram(program: string, args: readonly string[], input: string): string | null {
  const { status, stderr } = spawnSync(program, args, { input, encoding: "utf8" });
  return status === 0 ? null : `${program}: ${stderr.trim()}`;
}
