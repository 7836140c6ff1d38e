import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A program of this repository in a process of its own, which is killed at the end of the test at the latest. */
export interface RunningProgram {
  /** What it has printed so far, complaints included. */
  printed(): string;
  /** The address that it says it listens on. Rejects when it ends without saying so. */
  readonly url: Promise<string>;
  /** Its exit code, or the signal that ended it. */
  readonly end: Promise<number | string>;
  signal(name: "SIGTERM" | "SIGINT" | "SIGKILL"): void;
}

export type Environment = Readonly<Record<string, string>>;

/** Runs a script in a folder, with these variables and no others but PATH. */
export function startProgram(
  script: string,
  environment: Environment,
  folder = tmpdir(),
  interpreter = process.execPath,
  args: readonly string[] = [],
): RunningProgram {
  const child = spawn(interpreter, [script, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
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
  url.catch(() => {}); // a test that expects the program to end does not ask for it
  return { printed: () => text, url, end, signal: (name) => child.kill(name) };
}

/** The lines that the first start of the server asks to paste, those that approve last. */
export function linesToPaste(printed: string): string {
  const [, begin, approve] = /(\nAPI=[\s\S]*)\n\nThe link shows [\s\S]*:\n\n(curl [\s\S]*)$/.exec(printed) ?? [];
  if (approve === undefined || !approve.includes("APPROVED")) throw new Error(`no lines to paste in:\n${printed}`);
  return `${begin}\n${approve}`;
}

/** Runs text as lines pasted into a shell. @returns what it printed; rejects when the shell complained */
export async function paste(lines: string, environment: Environment = {}): Promise<string> {
  const shell = spawn("sh", [], { env: { PATH: process.env.PATH, ...environment }, stdio: "pipe" });
  killInTheEnd(shell);
  let said = "";
  let complaints = "";
  shell.stdout.on("data", (chunk) => {
    said += String(chunk);
  });
  shell.stderr.on("data", (chunk) => {
    complaints += String(chunk);
  });
  shell.stdin.end(lines);
  await once(shell, "close");
  if (complaints !== "") throw new Error(`the shell complained:\n${complaints}\n${said}`);
  return said;
}

/** An empty folder that lives as long as the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A port that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Whether a port answers on another address than 127.0.0.1. Of this machine are, on Linux, all that begin with 127. */
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
