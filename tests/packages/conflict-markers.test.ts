import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../programs/running-program.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const script = join(root, "scripts/check-conflicts.mjs");

function git(folder: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Runs the check in a new repository that tracks these files. */
function checkedFiles(files: ReadonlyMap<string, string>): {
  readonly status: number | null;
  readonly found: string[];
} {
  const folder = temporaryFolder();
  git(folder, "init", "--quiet");
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  git(folder, "add", "--all");
  writeFileSync(join(folder, "untracked.ts"), "<<<<<<< HEAD\n");
  const { status, stdout } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" });
  return { status, found: stdout.split("\n").filter((line) => line !== "") };
}

/** A name for each kind of text file of this repository: its extension, or the whole name of a file without one. */
function kindsOfTextFiles(): string[] {
  const tracked = git(root, "ls-files", "--eol")
    .split("\n")
    .filter((line) => line !== "");
  const texts = tracked.filter((line) => !line.includes("w/-text")).map((line) => basename(line.split("\t")[1] ?? ""));
  return [...new Set(texts.map((name) => (extname(name) === "" ? name : `file${extname(name)}`)))].sort();
}

describe("scripts/check-conflicts.mjs", () => {
  it("reports the line of a conflict marker in each kind of text file that the repository has", () => {
    const kinds = kindsOfTextFiles();
    expect(kinds).toEqual(expect.arrayContaining([".gitignore", "LICENSE", "file.md", "file.patch", "file.ts"]));
    const { status, found } = checkedFiles(new Map(kinds.map((name) => [name, "one\n<<<<<<< HEAD\ntwo\n"])));
    expect(status).toBe(1);
    expect(found.sort()).toEqual(kinds.map((name) => `${name}:2:<<<<<<< HEAD`).sort());
  });

  it.each([["<<<<<<< HEAD"], ["||||||| 1a2b3c4"], ["======="], [">>>>>>> feature"], ["=======\r"]])(
    "finds the conflict marker %j",
    (marker) => {
      expect(checkedFiles(new Map([["a.md", `${marker}\n`]]))).toMatchObject({
        status: 1,
        found: [`a.md:1:${marker}`],
      });
    },
  );

  it("accepts lines that only resemble a conflict marker", () => {
    const text = "a <<<<<<< b\n<<<<<<\n========\n=======-\n";
    expect(checkedFiles(new Map([["a.md", text]]))).toEqual({ status: 0, found: [] });
  });

  it("finds no conflict marker in this repository", () => {
    expect(spawnSync(process.execPath, [script], { encoding: "utf8" })).toMatchObject({ status: 0, stdout: "" });
  });
});
