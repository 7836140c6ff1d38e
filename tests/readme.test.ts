import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { builtServer } from "./build-programs.js";
import { besideExample, blocksOf } from "./page-code.js";
import { answersElsewhere, freePort, paste, startProgram, temporaryFolder } from "./running-program.js";

vi.setConfig({ testTimeout: 180_000 });

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

const blocks = (language: string) => blocksOf(readme, language);

describe("the README", () => {
  it("opens with a sentence and the two commands", () => {
    const [, sentence = ""] = readme.split("\n\n");
    expect(sentence.match(/\./g)).toHaveLength(1);
    expect(readme.split("\n\n")[2]).toMatch(/^```sh\nnpm start .*\nnpm test .*\n```$/);
  });

  it("has an example that works as it stands", async () => {
    await builtServer(); // and with it every package
    const script = besideExample("embed-hono", blocks("ts")[0] ?? "");
    const port = await freePort();
    const environment = { PORT: String(port), BUDGETKIT_SECRET: "s".repeat(32) };
    const program = startProgram(script, environment, temporaryFolder());
    await vi.waitFor(() => expect(program.printed()).toBe("544.5\n"), { timeout: 10_000 });
    const answer = await vi.waitFor(() => fetch(`http://localhost:${port}/v1/`), { timeout: 10_000 });
    expect(await answer.json()).toMatchObject({ name: "Budgetkit" });
    expect(await answersElsewhere(port)).toBe(false);
    program.signal("SIGTERM");
    await program.end;
  });

  it("has lines for a shell that work against the server", async () => {
    const server = startProgram(await builtServer(), { PORT: "0", DATABASE_URL: "memory:" });
    const url = await server.url;
    const printed = server.printed();
    const first = await paste(printed.slice(printed.indexOf("\nAPI="), printed.indexOf("\n\nThe link shows ")));
    const key = /API key: (\S+)/.exec(first)?.[1] ?? "";
    const lines = (blocks("sh")[1] ?? "").replace("http://127.0.0.1:3000", url).replace("bgk_live_...", key);
    const said = await paste(lines);
    expect(said).toMatch(/^HTTP\/1\.1 201 /);
    expect(said).toContain('"success":true');
    expect(said).toMatch(/"pagination":\{"page":1,"limit":10,"total":2,/);
    expect(said).toContain('"field":"customerId","code":"REQUIRED"');
    expect(said).toContain('"field":"items","code":"MIN_LENGTH"');
  });

  it("links to what is there, and to every package", () => {
    const targets = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target]) => target ?? "");
    expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
    for (const name of readdirSync(join(root, "packages"))) expect(targets).toContain(`packages/${name}`);
  });
});
