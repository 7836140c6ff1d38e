import { text } from "node:stream/consumers";
import { StartFailure } from "./failures.js";

/**
 * Reads a password: typed on a terminal without echo, or else the whole of standard input without its line end. Throws a
 * StartFailure when the input is empty.
 */
export async function readPassword(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY !== true) {
    const password = (await text(stdin)).replace(/\r?\n$/, "");
    if (password === "") throw new StartFailure("No password came on standard input.");
    return password;
  }
  stderr.write(prompt);
  stdin.setRawMode(true);
  try {
    return await typed(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

const ENTER = ["\r", "\n"];
const INTERRUPT = ["\u0003", "\u0004"]; // Ctrl-C, Ctrl-D
const ERASE = ["\u007f", "\b"];

async function typed(input: NodeJS.ReadStream): Promise<string> {
  const letters: string[] = [];
  for await (const chunk of input.setEncoding("utf8")) {
    for (const letter of String(chunk)) {
      if (ENTER.includes(letter)) return letters.join("");
      if (INTERRUPT.includes(letter)) throw new StartFailure("No password was given.");
      if (ERASE.includes(letter)) letters.pop();
      else letters.push(letter);
    }
  }
  return letters.join("");
}
