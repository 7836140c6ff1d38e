/** How the operator calls this program: in the repository `npm start --` takes the place of `budgetkit`. */
export function ownCommand(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const { npm_lifecycle_event: script, npm_package_name: name } = environment;
  return script === "start" && name === "budgetkit" ? "npm start --" : "budgetkit";
}
