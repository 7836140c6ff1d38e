#!/usr/bin/env node
import { runCommandLine } from "./command-line.js";

void runCommandLine(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
