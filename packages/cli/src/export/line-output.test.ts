import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { StartFailure } from "../terminal/failures.js";
import { lineOutput } from "./line-output.js";

/** Where an export may go, in a folder that lives as long as the test. */
function place() {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-export-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "all.jsonl");
  return { path, part: `${path}.part`, elsewhere: join(folder, "elsewhere") };
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("the file of an export", () => {
  it("shows an export file when it is complete, its owner's alone from the beginning", async () => {
    const { path, part } = place();
    const output = await lineOutput(path);
    await output.write("one\n");
    expect([existsSync(path), modeOf(part)]).toEqual([false, 0o600]);
    await output.finish();
    expect(readFileSync(path, "utf8")).toBe("one\n");
    expect([existsSync(part), modeOf(path)]).toEqual([false, 0o600]);
  });

  it("removes the file of an abandoned export, which can begin again", async () => {
    const { path, part } = place();
    const output = await lineOutput(path);
    output.abandon();
    expect([existsSync(path), existsSync(part)]).toEqual([false, false]);
    await (await lineOutput(path)).finish();
    expect(existsSync(path)).toBe(true);
  });

  it("leaves a file alone that another export is writing, and tells what to do", async () => {
    const { path, part } = place();
    writeFileSync(part, "of another one");
    await expect(lineOutput(path)).rejects.toThrow(
      new StartFailure(`--output cannot be written: ${part} exists. Remove it, unless another export is writing it.`),
    );
    expect(readFileSync(part, "utf8")).toBe("of another one");
  });

  it("refuses to write an export through a link to another file", async () => {
    const { path, part, elsewhere } = place();
    symlinkSync(elsewhere, part);
    await expect(lineOutput(path)).rejects.toThrow(StartFailure);
    expect(existsSync(elsewhere)).toBe(false);
  });
});
