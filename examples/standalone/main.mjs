// What `npm start` runs: `budgetkit serve`, with the settings of the environment.
import { runCommandLine } from "@budgetkit/cli";

process.exitCode = await runCommandLine(["serve", ...process.argv.slice(2)]);
