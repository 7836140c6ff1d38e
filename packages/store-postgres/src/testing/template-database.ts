import { runOn } from "./run-on.js";

/** The name of the migrated database that the tests of a run copy. `run` is the id of the process that runs them. */
export function templateOfRun(run: number): string {
  return `test_${run}_migrated`;
}

/** To be called at the end of a run, by the process that runs the tests. */
export async function dropTemplate(serverUrl: string): Promise<void> {
  await runOn(serverUrl, `DROP DATABASE IF EXISTS ${templateOfRun(process.pid)}`);
}
