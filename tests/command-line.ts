import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtServer } from "./build-programs.js";
import type { Environment } from "./running-program.js";

/** What a command left behind. */
export interface CommandRun {
  readonly code: number | null;
  readonly out: string;
  readonly complaints: string;
}

/** The command line as it is installed. @returns its main file */
export async function builtCommandLine(): Promise<string> {
  await builtServer();
  return fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url));
}

/** Runs a program to its end in a folder, with these variables and no others but PATH. */
export async function runCommand(
  program: string,
  args: readonly string[],
  { folder, environment = {}, input = "" }: { folder: string; environment?: Environment; input?: string },
): Promise<CommandRun> {
  const env = { PATH: process.env.PATH, ...environment };
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: "pipe" });
  let out = "";
  let complaints = "";
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    complaints += String(chunk);
  });
  child.stdin.on("error", () => {}); // the command may end without having read it
  child.stdin.end(input);
  const [code] = await once(child, "close");
  return { code, out, complaints };
}

/** Puts a program `budgetkit` into a folder, as an installation would. */
export function installCommand(program: string, folder: string): void {
  const path = join(folder, "budgetkit");
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(path, 0o755);
}
