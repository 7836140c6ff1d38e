import { Command } from "commander";
import { z } from "zod";
import { environmentOf, type FlagSetting, withSettingFlags } from "../settings/setting-flags.js";
import { readSettings, type Settings } from "../settings/settings.js";
import { UsageError } from "../terminal/failures.js";
import { processReport, type Report } from "../terminal/report.js";

/** The description of a command and its action. */
export interface CommandDefinition {
  /** Its name and arguments: `rotate <id>`. */
  readonly usage: string;
  readonly summary: string;
  /** The purpose, in sentences. */
  readonly about: string;
  readonly examples: readonly string[];
  /** The settings it uses, as flags. */
  readonly settings: readonly FlagSetting[];
  /** Its own flags. */
  readonly flags?: readonly (readonly [flag: string, meaning: string, often?: "repeatable"])[];
  run(call: CommandCall): Promise<void>;
}

/** One call of a command. */
export interface CommandCall {
  readonly args: readonly string[];
  readonly report: Report;
  readonly isJson: boolean;
  /** The environment with the flags applied. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The same, parsed. Throws a StartFailure that names the invalid ones. */
  settings(): Settings;
  /** The flags of the command, parsed. Throws a UsageError that names the invalid ones. */
  flags<S extends z.ZodType>(schema: S): z.output<S>;
}

export function defineCommand({
  usage,
  summary,
  about,
  examples,
  settings,
  flags = [],
  run,
}: CommandDefinition): Command {
  const [name = "", ...places] = usage.split(" ");
  const command = new Command(name).summary(summary).description(about);
  for (const place of places) command.argument(place);
  for (const [flag, meaning, often] of flags) {
    if (often === "repeatable") command.option(flag, meaning, (text, before: string[] = []) => [...before, text]);
    else command.option(flag, meaning);
  }
  withSettingFlags(command, settings).option(
    "--json",
    "the result as JSON on standard output, all else on standard error",
  );
  command.addHelpText(
    "after",
    `\n${examples.length === 1 ? "Example" : "Examples"}:\n${examples.map((line) => `  ${line}`).join("\n")}`,
  );
  return command.action(async () => {
    const isJson = command.getOptionValue("json") === true;
    const environment = environmentOf(process.env, command);
    await run({
      args: command.args,
      report: processReport(isJson),
      isJson,
      environment,
      settings: () => readSettings(environment),
      flags: (schema) => flagsOf(schema, command.opts()),
    });
  });
}

/** A group of commands below one name. */
export function defineGroup(name: string, summary: string, commands: readonly Command[]): Command {
  const group = new Command(name).summary(summary).description(summary);
  for (const command of commands) group.addCommand(command);
  return group;
}

function flagsOf<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => `--${flagOf(String(path[0]))} ${message}`);
  throw new UsageError([...new Set(wrong)].join("\n"));
}

function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A required flag. */
export const needed = z.string("is missing").min(1, "is empty");

/** Comma-separated values. */
export const commaList = z.string().transform((text) => text.split(",").map((word) => word.trim()));
