import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { builtServer } from "./build-programs.js";
import { freePort, paste, startProgram, temporaryFolder } from "./running-program.js";

vi.setConfig({ testTimeout: 180_000 });

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The code in the README's fences of one language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, code]) => code ?? "");
}

describe("the README", () => {
  it("opens with a sentence and the two commands", () => {
    const [, sentence = ""] = readme.split("\n\n");
    expect(sentence.match(/\./g)).toHaveLength(1);
    expect(readme.split("\n\n")[2]).toMatch(/^```sh\nnpm start .*\nnpm test .*\n```$/);
  });

  it("has an example that fits the types of the packages", () => {
    const folder = join(root, "examples/embed-hono");
    expect(typeErrors(folder, blocks("ts")[0] ?? "")).toEqual([]);
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
    program.signal("SIGTERM");
    await program.end;
  });

  it("has lines for a shell that work against the server", async () => {
    const server = startProgram(await builtServer(), { PORT: "0", DATABASE_URL: "memory:" });
    const url = await server.url;
    const printed = server.printed();
    const first = await paste(printed.slice(printed.indexOf("\nAPI=")));
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

/** Puts code, as plain JavaScript, where it finds the packages that an example uses. */
function besideExample(name: string, code: string): string {
  const script = join(root, "examples", name, "node_modules", `readme-${process.pid}.mjs`);
  onTestFinished(() => rmSync(script, { force: true }));
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  writeFileSync(script, ts.transpileModule(code, { compilerOptions }).outputText);
  return script;
}

/** What the compiler says of code as if it were a file of the folder. */
function typeErrors(folder: string, code: string): string[] {
  const path = join(folder, "readme-example.ts");
  const base = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent({ ...base, files: [] }, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.readFile = (name) => (name === path ? code : readFile(name));
  host.getSourceFile = (name, target, ...rest) =>
    name === path ? ts.createSourceFile(name, code, target) : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([path], options, host);
  const file = program.getSourceFile(path);
  return ts
    .getPreEmitDiagnostics(program, file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
