import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { builtServer } from "../../programs/build-programs.js";
import { answersElsewhere, freePort, paste, startProgram } from "../../programs/running-program.js";
import { codeBlocks } from "../code/code-blocks.js";
import { blocksOf } from "../code/page-code.js";
import { pageFolder } from "../code/page-folder.js";

const page = readFileSync(new URL("../../../docs/getting-started.md", import.meta.url), "utf8");
const [, , prepare = "", offer = "", serve = "", create = "", accept = "", test = ""] = blocksOf(page, "sh");
const [printed = ""] = blocksOf(page, "text");

beforeAll(async () => {
  await builtServer(); // and with it every package
});

describe("the first steps", () => {
  it("the first steps lead from an empty folder to approved budgets, in process and over HTTP", async () => {
    const port = await freePort();
    const here = (text: string) => text.replaceAll("3000", String(port));
    const { path, environment } = pageFolder(codeBlocks("", page), here);
    const say = (lines: string) => paste(`cd ${path}\n${here(lines)}`, environment);

    expect(await say(prepare)).toBe("");
    expect(statSync(join(path, ".env")).mode & 0o777).toBe(0o600);
    expect(await say(offer)).toBe(printed);

    const script = join(path, "serve.sh");
    writeFileSync(script, `exec ${serve}`);
    const server = startProgram(script, environment, path, "sh");
    await vi.waitFor(() => expect(server.printed()).toBe(here("http://localhost:3000/v1\n")), { timeout: 120_000 });
    expect(await answersElsewhere(port)).toBe(false);
    const [link, ...answers] = (await say(`${create}\n${accept}`)).trim().split("\n");
    expect(link).toMatch(new RegExp(`^http://localhost:${port}/v1/p/`));
    expect(answers).toEqual(["APPROVED", "customer:Ana"]);
    server.signal("SIGINT");
    expect(await server.end).toBe(0);
  });

  it("the first steps end with a test that passes", async () => {
    const { path, environment } = pageFolder(codeBlocks("", page));
    expect(await paste(`cd ${path}\n${test}`, environment)).toMatch(/^# pass 1$/m);
  });
});
