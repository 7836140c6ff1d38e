import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { builtServer } from "../../programs/build-programs.js";
import {
  answersElsewhere,
  type Environment,
  freePort,
  type RunningProgram,
  startProgram,
} from "../../programs/running-program.js";
import { blocksOf } from "../code/page-code.js";
import { pageFolder } from "../code/page-folder.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

const blocks = (language: string) => blocksOf(readme, language);

const [opening = "", continuation = ""] = blocks("ts");

/** Starts code in an empty folder, saved as it stands on the page, beside the packages that it imports. */
async function startPasted(code: string, environment: Environment = {}): Promise<RunningProgram> {
  await builtServer(); // and with it every package
  const { path } = pageFolder([]);
  const script = join(path, "first.mjs");
  writeFileSync(script, code);
  return startProgram(script, environment, path);
}

describe("the README", () => {
  it("the README opens with two sentences, six to nine lines of code, and then the three commands", () => {
    expect(readme).toMatch(/^# Budgetkit\n\n[^.]+\.\s[^.]+\.\n\n```ts\n/);
    const lines = opening.split("\n").filter((line) => line !== "");
    expect(lines.length).toBeGreaterThanOrEqual(6);
    expect(lines.length).toBeLessThanOrEqual(9);
    expect(blocks("sh")[0]).toMatch(/^npm run demo .*\nnpm start .*\nnpm test .*\n$/);
  });

  it("the README stays below 700 words", () => {
    expect(readme.split(/\s+/).length).toBeLessThan(700);
  });

  it("the first code in the README prints a total and a link when it is pasted into a file", async () => {
    const program = await startPasted(opening);
    expect(await program.end).toBe(0);
    expect(program.printed()).toMatch(/^544\.5 http:\/\/localhost:3000\/v1\/p\/[\w-]{43}\n$/);
  });

  it("the second code in the README serves the API and the page behind that link", async () => {
    const port = await freePort();
    const program = await startPasted(`${opening}${continuation}`, { PORT: String(port) });
    const link = await vi.waitFor(() => /http:\S+/.exec(program.printed())?.[0] ?? expect.fail(), { timeout: 120_000 });
    const page = link.replace(":3000/", `:${port}/`);
    const answer = await vi.waitFor(() => fetch(page, { headers: { accept: "text/html" } }), { timeout: 120_000 });
    expect(await answer.text()).toContain("Oak table");
    expect(await (await fetch(`http://localhost:${port}/v1/`)).json()).toMatchObject({ name: "Budgetkit" });
    expect(await answersElsewhere(port)).toBe(false);
    program.signal("SIGTERM");
    await program.end;
  });

  it("the README links to existing files and to every package", () => {
    const targets = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target]) => target ?? "");
    expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
    for (const name of readdirSync(join(root, "packages"))) expect(targets).toContain(`packages/${name}`);
  });
});
