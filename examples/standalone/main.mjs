// What `npm start` runs: the server, or with arguments any other command, as in `npm start -- doctor`.
import { runCommandLine } from "@budgetkit/cli";

const args = process.argv.slice(2);
const isServer = args.length === 0 || args[0].startsWith("-");
void runCommandLine(isServer ? ["serve", ...args] : args).then((code) => {
  process.exitCode = code;
});
