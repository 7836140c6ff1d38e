import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A program of this repository in its own process, which the end of the test kills. */
export interface RunningProgram {
  /** Standard output and standard error so far. */
  printed(): string;
  /** The URL that the program announces. Rejects when the program ends without it. */
  readonly url: Promise<string>;
  /** The exit code, or the signal that ended the program. */
  readonly end: Promise<number | string>;
  readonly pid: number;
  signal(name: "SIGTERM" | "SIGINT" | "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGUSR2"): void;
}

export type Environment = Readonly<Record<string, string>>;

/** Requests get no log lines, which tests of what a program prints would have to skip. */
const QUIET = { BUDGETKIT_LOG_LEVEL: "error", BUDGETKIT_LOG_FORMAT: "pretty" };

/** What vitest.config.ts sets for a run on node:sqlite. */
const { NODE_OPTIONS = "" } = process.env;

/** Starts a script in a folder. Its environment is PATH, {@link QUIET} and these variables. */
export function startProgram(
  script: string,
  environment: Environment,
  folder = tmpdir(),
  interpreter = process.execPath,
  args: readonly string[] = [],
): RunningProgram {
  const child = spawn(interpreter, [script, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_OPTIONS, ...QUIET, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  killInTheEnd(child);
  let text = "";
  const end = once(child, "close").then(([code, signal]): number | string => code ?? signal);
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        text += String(chunk);
        const address = /listens on (http:\S+)\n/.exec(text)?.[1];
        if (address !== undefined) resolve(address);
      });
    }
    end.then((how) => reject(new Error(`the program ended with ${how}:\n${text}`)), reject);
  });
  url.catch(() => {}); // a test that expects the program to end does not read the URL
  return { printed: () => text, url, end, pid: child.pid ?? 0, signal: (name) => child.kill(name) };
}

/** The shell lines that the first start of the server prints, those that approve last. */
export function linesToPaste(printed: string): string {
  const [, begin, approve] = /(\nAPI=[\s\S]*)\n\nThe link shows [\s\S]*:\n\n(curl [\s\S]*)$/.exec(printed) ?? [];
  if (approve === undefined || !approve.includes("APPROVED")) throw new Error(`no lines to paste in:\n${printed}`);
  return `${begin}\n${approve}`;
}

/** Runs lines in a shell. @returns standard output; rejects when the shell wrote to standard error */
export async function paste(lines: string, environment: Environment = {}): Promise<string> {
  const shell = spawn("sh", [], { env: { PATH: process.env.PATH, ...environment }, stdio: "pipe" });
  killInTheEnd(shell);
  let output = "";
  let complaints = "";
  shell.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  shell.stderr.on("data", (chunk) => {
    complaints += String(chunk);
  });
  shell.stdin.end(lines);
  await once(shell, "close");
  if (complaints !== "") throw new Error(`the shell failed:\n${complaints}\n${output}`);
  return output;
}

/** An empty folder that lives as long as the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const FIRST_PORT = 20_000;
const PORTS_OF_WORKER = 1_000;
let ports = process.pid;

/**
 * A port that nothing listens on. It lies below the range from which the system picks ports, and each worker of the test
 * runner has its own ports: so no other test gets it before it is used.
 */
export async function freePort(): Promise<number> {
  const first = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % 10) * PORTS_OF_WORKER;
  for (;;) {
    ports += 1;
    const port = first + (ports % PORTS_OF_WORKER);
    if (await isFree(port)) return port;
  }
}

/** A port that a server of the test listens on until the test ends. */
export async function takenPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return String(typeof address === "object" && address !== null ? address.port : 0);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}

/** Whether a port answers on another address of this machine: on Linux every address that begins with 127 is one. */
export function answersElsewhere(port: number | string): Promise<boolean> {
  return fetch(`http://127.0.0.2:${port}`, { headers: { connection: "close" } }).then(
    () => true,
    () => false,
  );
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

function killInTheEnd(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child));
  onTestFinished(async () => {
    if (!running.has(child)) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
}
