/** The command line as a function; the program `budgetkit` runs it. */
export { runCommandLine } from "./command-line.js";
