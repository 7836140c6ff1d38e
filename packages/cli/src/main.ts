#!/usr/bin/env node
import { runCommandLine } from "./command-line.js";

// The reader of the output, such as head, closed the pipe: no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

void runCommandLine(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
