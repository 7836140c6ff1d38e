import { Command } from "commander";

/** Shows the help of a nested command; the built-in help command of commander stops at the first word. */
export const helpCommand = () =>
  new Command("help")
    .summary("show the help of a command")
    .description("Shows the help of a command.")
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
