import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { builtServer } from "../../programs/build-programs.js";
import { answersElsewhere, freePort, startProgram, temporaryFolder } from "../../programs/running-program.js";
import { besideExample, blocksOf } from "../code/page-code.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

const blocks = (language: string) => blocksOf(readme, language);

describe("the README", () => {
  it("the README opens with two sentences and the two commands", () => {
    const [, sentences = ""] = readme.split("\n\n");
    expect(sentences.match(/\./g)).toHaveLength(2);
    expect(readme.split("\n\n")[2]).toMatch(/^```sh\nnpm start .*\nnpm test .*\n```$/);
  });

  it("the README stays below 700 words, with an example of at most 12 lines", () => {
    expect(readme.split(/\s+/).length).toBeLessThan(700);
    expect((blocks("ts")[0] ?? "").trimEnd().split("\n").length).toBeLessThanOrEqual(12);
  });

  it("the example in the README works unchanged", async () => {
    await builtServer(); // and with it every package
    const script = besideExample("embed-hono", blocks("ts")[0] ?? "");
    const port = await freePort();
    const environment = { PORT: String(port) };
    const program = startProgram(script, environment, temporaryFolder());
    await vi.waitFor(() => expect(program.printed()).toBe("544.5\n"), { timeout: 120_000 });
    const answer = await vi.waitFor(() => fetch(`http://localhost:${port}/v1/`), { timeout: 120_000 });
    expect(await answer.json()).toMatchObject({ name: "Budgetkit" });
    expect(await answersElsewhere(port)).toBe(false);
    program.signal("SIGTERM");
    await program.end;
  });

  it("the README links to existing files, and to every package", () => {
    const targets = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target]) => target ?? "");
    expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
    for (const name of readdirSync(join(root, "packages"))) expect(targets).toContain(`packages/${name}`);
  });
});
