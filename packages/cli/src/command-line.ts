import { Command, CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { budgetCommands } from "./commands/budget.js";
import { businessCommands } from "./commands/business.js";
import { copyCommand } from "./commands/copy.js";
import { demoCommand } from "./commands/demo.js";
import { doctorCommand } from "./commands/doctor.js";
import { exportCommand } from "./commands/export.js";
import { helpCommand } from "./commands/help.js";
import { importCommand } from "./commands/import.js";
import { keyCommands } from "./commands/key.js";
import { ledgerCommands } from "./commands/ledger.js";
import { migrateCommand } from "./commands/migrate.js";
import { serveCommand } from "./commands/serve.js";
import { signingKeyCommands } from "./commands/signing-key.js";
import { userCommands } from "./commands/user.js";
import { verifyCommand } from "./commands/verify.js";
import { complaintOf, withoutPasswords } from "./terminal/complaint.js";
import { UsageError } from "./terminal/failures.js";

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * Runs the command that the arguments name, with the settings of the environment. Never rejects.
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage; for `serve`, 0 means that the server has started.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const program = budgetkit((text) => withoutPasswords(text, args));
  try {
    await program.parseAsync([...args], { from: "user" });
    return DONE;
  } catch (error) {
    return exitCodeOf(error);
  }
}

/** The program with all its commands. It throws for wrong arguments; `redact` edits the message before it is printed. */
export function budgetkit(redact: (text: string) => string = (text) => text): Command {
  const program = new Command("budgetkit")
    .helpCommand(false)
    .version(manifest.version, "--version", "the release of this package")
    .description(
      "Runs the Budgetkit server and operates its database. Every command reads its settings from the environment variables of " +
        "the server (DATABASE_URL, BUDGETKIT_SECRET …); flags override them.",
    );
  for (const command of [
    serveCommand,
    migrateCommand,
    doctorCommand,
    businessCommands,
    budgetCommands,
    userCommands,
    keyCommands,
    signingKeyCommands,
    ledgerCommands,
    exportCommand,
    importCommand,
    copyCommand,
    demoCommand,
    verifyCommand,
    helpCommand,
  ]) {
    program.addCommand(command());
  }
  program.addHelpText(
    "after",
    "\nExit codes: 0 done, 1 failed, 2 wrong usage. `budgetkit help <command>` shows the details.",
  );
  throwOnWrongArguments(program, redact);
  return program;
}

/** By default commander ends the process and prints the arguments as they are, passwords included. */
function throwOnWrongArguments(command: Command, redact: (text: string) => string): void {
  command.exitOverride().configureOutput({ outputError: (text, write) => write(redact(text)) });
  for (const below of command.commands) throwOnWrongArguments(below, redact);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE; // already printed
  console.error(complaintOf(error));
  return error instanceof UsageError ? WRONG_USAGE : FAILED;
}
