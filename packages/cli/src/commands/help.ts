import { Command } from "commander";

/** Tells of the command that its words lead to: that of a library stops at the first word. */
export const helpCommand = () =>
  new Command("help")
    .summary("tell of a command")
    .description("Tells of a command.")
    .argument("[command...]")
    .action((words: readonly string[], _options: unknown, help: Command) => {
      let found = help.parent ?? help;
      for (const word of words) {
        const below = found.commands.find((each) => each.name() === word);
        if (below === undefined) return help.error(`error: unknown command '${words.join(" ")}'`);
        found = below;
      }
      found.help();
    });
