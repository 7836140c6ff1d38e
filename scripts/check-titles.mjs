// Fails when the title of a test makes no sense without its describe, when no title names a rule or the code of a field,
// and when tests/ holds a file outside its folders or a folder too many.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { root } from "./pnpm.mjs";

const FOLDER_FILES = 20;
const HAS_TESTS = /\.test\.ts$|^packages\/testing\/src\/.*suite.*\.ts$/;
const CODES = "packages/core/src/kernel/problem.ts";

/** First words that continue a describe: verbs whose subject is there, pronouns, prepositions and conjunctions. */
const CONTINUES = [
  "is are was were be has have had does do did can cannot could may might must should will would name names say says",
  "belong belongs come comes get gets give go goes hold keep leave make send show stay take",
  "he her his it its she that their them these they this those what which who whose",
  "as at by for from in of on to with without after before since until and because but if or so then unless when while",
];
const continues = new Set(CONTINUES.flatMap((words) => words.split(" ")));

const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
});
const files = listed.stdout.split("\n").filter((path) => path !== "" && existsSync(join(root, path)));
const titles = files.filter((path) => HAS_TESTS.test(path)).flatMap(titlesIn);
const faults = titles.filter(isPart).map(({ place, text }) => `${place}: name the subject: "${text}"`);

const texts = titles.map(({ text }) => text).join("\n");
const codes = new Set(readFileSync(join(root, CODES), "utf8").match(/(?<=")[A-Z]+(_[A-Z]+)*(?=")/g));
for (const code of codes) {
  if (!new RegExp(`\\b${code}\\b`).test(texts)) faults.push(`${CODES}: no title of a test names ${code}`);
}

const counts = new Map();
for (const folder of files.filter((path) => path.startsWith("tests/")).map(dirname)) {
  counts.set(folder, (counts.get(folder) ?? 0) + 1);
}
for (const [folder, count] of counts) {
  const most = folder === "tests" ? 0 : FOLDER_FILES;
  if (count > most) faults.push(`${folder}: ${count} files; at most ${most}, the others in folders of their subjects`);
}

if (listed.status !== 0 || titles.length === 0) faults.push(`git found no tests: ${listed.stderr}`);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function isPart({ text }) {
  return continues.has(/^[a-z]+(?![\w'(])/.exec(text)?.[0] ?? "");
}

/** The titles of `it`, `it.each(…)` and helpers such as `itRefuses`, each `{ place, text }`. A title in a variable is left out. */
function titlesIn(path) {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.ES2022, true);
  const found = [];
  visit(source);
  return found;

  function visit(node) {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
        const line = source.getLineAndCharacterOfPosition(title.getStart()).line + 1;
        found.push({ place: `${path}:${line}`, text: title.getText().slice(1, -1) });
      }
    }
    ts.forEachChild(node, visit);
  }
}

function isTest(called) {
  if (ts.isIdentifier(called)) return /^(it([A-Z]\w*)?|test)$/.test(called.text);
  if (ts.isPropertyAccessExpression(called)) return called.name.text === "it" || isTest(called.expression);
  return ts.isCallExpression(called) && isTest(called.expression);
}
