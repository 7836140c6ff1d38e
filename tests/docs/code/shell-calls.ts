import { budgetkit } from "../../../packages/cli/src/command-line.js";

/** What ends a command, what leads its input or output elsewhere, a word of it. A comment is passed over. */
const TOKEN =
  /(?<comment>#[^\n]*|\\\n)|(?<redirect>\d*[<>]+&?[ ]*\S+)|(?<end>\$\(|[\n;|&()]+)|(?<word>(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|\$(?!\()|[^\s;|&()<>"'\\$])+)/gs;

/** The commands of a shell script, as their words. What stands within quotes is no command here. */
function commandsOf(script: string): string[][] {
  const commands: string[][] = [[]];
  for (const { groups = {} } of script.matchAll(TOKEN)) {
    if (groups.end !== undefined) commands.push([]);
    else if (groups.word !== undefined) commands.at(-1)?.push(groups.word.replace(/^(["'])(.*)\1$/s, "$2"));
  }
  return commands.filter((words) => words.length > 0);
}

/** The ways to call the command line. */
const CALLS = ["budgetkit", "npx budgetkit", "npx @budgetkit/cli", "npm start --"];

/** What is wrong with the calls of `budgetkit` in a shell script: commands, flags and arguments that it does not have. */
export function callFaults(script: string): string[] {
  return commandsOf(script).flatMap((words) => {
    const named = words.slice(words.findIndex((word) => !/^\w+=/.test(word) && word !== "exec"));
    const call = CALLS.find((call) => `${named.join(" ")} `.startsWith(`${call} `));
    if (call === undefined) return [];
    const fault = faultOf(named.slice(call.split(" ").length));
    return fault === null ? [] : [`${named.join(" ")}: ${fault}`];
  });
}

/** What the command line has against arguments, as far as it can tell without running them; null = nothing. */
function faultOf(args: readonly string[]): string | null {
  const isHelp = args[0] === "help";
  let command = budgetkit();
  let rest = isHelp ? args.slice(1) : args;
  for (;;) {
    const below = command.commands.find((each) => each.name() === rest[0]);
    if (below === undefined) break;
    command = below;
    rest = rest.slice(1);
  }
  command.configureOutput({ writeErr: () => {} });
  const asksForHelp = isHelp || rest.includes("--help");
  try {
    const { operands, unknown } = command.parseOptions(rest.filter((word) => word !== "--help"));
    if (unknown.length > 0) return `there is no ${unknown[0]}`;
    if (asksForHelp && operands.length === 0) return null;
    if (command.commands.length > 0) return `there is no command ${operands.join(" ")}`;
    const { length } = command.registeredArguments;
    return operands.length === length ? null : `takes ${length} arguments and not ${operands.length}`;
  } catch (error) {
    return String(error);
  }
}
