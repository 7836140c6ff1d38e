import { Command, CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import { businessCommands } from "./commands/business.js";
import { copyCommand } from "./commands/copy.js";
import { demoCommand } from "./commands/demo.js";
import { doctorCommand } from "./commands/doctor.js";
import { exportCommand } from "./commands/export.js";
import { helpCommand } from "./commands/help.js";
import { importCommand } from "./commands/import.js";
import { keyCommands } from "./commands/key.js";
import { migrateCommand } from "./commands/migrate.js";
import { serveCommand } from "./commands/serve.js";
import { userCommands } from "./commands/user.js";
import { complaintOf, withoutPasswords } from "./complaint.js";
import { UsageError } from "./usage-error.js";

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * Runs the command that the arguments name, with the settings of the environment. Never rejects.
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage; that of `serve` says that the server has begun.
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const program = budgetkit((text) => withoutPasswords(text, args));
  try {
    await program.parseAsync([...args], { from: "user" });
    return DONE;
  } catch (error) {
    return tell(error);
  }
}

/** The program with all of its commands; `told` makes what it says of wrong arguments. Wrong arguments make it throw. */
export function budgetkit(told: (text: string) => string = (text) => text): Command {
  const program = new Command("budgetkit")
    .helpCommand(false)
    .version(manifest.version, "--version", "the release of this package")
    .description(
      "Serves Budgetkit and looks after its database. Every command takes its settings from the environment variables of " +
        "the server (DATABASE_URL, BUDGETKIT_SECRET …); flags take their place.",
    );
  for (const command of [
    serveCommand,
    migrateCommand,
    doctorCommand,
    businessCommands,
    userCommands,
    keyCommands,
    exportCommand,
    importCommand,
    copyCommand,
    demoCommand,
    helpCommand,
  ]) {
    program.addCommand(command());
  }
  program.addHelpText("after", "\nExit codes: 0 done, 1 failed, 2 wrong usage. `budgetkit help <command>` tells more.");
  refuseByThrowing(program, told);
  return program;
}

/** Without this wrong arguments would end the process at once, and be repeated as they are. */
function refuseByThrowing(command: Command, told: (text: string) => string): void {
  command.exitOverride().configureOutput({ outputError: (text, write) => write(told(text)) });
  for (const below of command.commands) refuseByThrowing(below, told);
}

function tell(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE; // it has been said
  console.error(complaintOf(error));
  return error instanceof UsageError ? WRONG_USAGE : FAILED;
}
