import { Console } from "node:console";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "../../packages/cli/src/command-line.js";
import { builtServer } from "./build-programs.js";
import type { Environment } from "./running-program.js";

/** What a command printed, and its exit code. */
export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly complaints: string; // standard error
}

/** Where a command runs, and with which standard input. */
export interface CommandSurroundings {
  readonly folder: string;
  readonly environment?: Environment;
  readonly input?: string;
}

/** The command line as it is installed. @returns its main file */
export async function builtCommandLine(): Promise<string> {
  await builtServer();
  return fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
}

/**
 * Runs a command in this process, which takes a tenth of the time of a new one: with its own streams, working directory
 * and environment. One command at a time: they belong to the whole process.
 */
export async function runCommand(
  args: readonly string[],
  { folder, environment = {}, input = "" }: CommandSurroundings,
): Promise<CommandRun> {
  const [out, complaints] = [collected(), collected()];
  const ofTests = { env: process.env, folder: process.cwd(), console: globalThis.console };
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout: out.stream, stderr: complaints.stream };
  const restore = Object.entries(streams).map(([name, value]) => replaceOfProcess(name, value));
  process.env = { PATH: process.env.PATH, ...environment };
  process.chdir(folder);
  globalThis.console = new Console(out.stream, complaints.stream);
  try {
    const code = await runCommandLine(args);
    return { code, out: out.text(), complaints: complaints.text() };
  } finally {
    globalThis.console = ofTests.console;
    process.chdir(ofTests.folder);
    process.env = ofTests.env;
    for (const undo of restore) undo();
  }
}

/** @returns what restores the property */
function replaceOfProcess(name: string, value: unknown): () => void {
  const original = Object.getOwnPropertyDescriptor(process, name) ?? {};
  Object.defineProperty(process, name, { value, configurable: true });
  return () => void Object.defineProperty(process, name, original);
}

function collected() {
  let text = "";
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  return { stream, text: () => text };
}

/** Puts a program `budgetkit` into a folder, as an installation does. */
export function installCommand(program: string, folder: string): void {
  const path = join(folder, "budgetkit");
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(path, 0o755);
}
