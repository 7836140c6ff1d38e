/** The command line as a function: what the program `budgetkit` runs. */
export { runCommandLine } from "./command-line.js";
