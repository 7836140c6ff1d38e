import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Finding, ok, reasonOf, wrong } from "./checks.js";

/** Whether files can be made in a folder, or the folder itself where there is none yet. */
export function checkFolder(name: string, folder: string): Finding {
  const nearest = nearestExisting(folder);
  try {
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return wrong(name, `${nearest} cannot be written: give it to the user that runs the server (${reasonOf(error)})`);
  }
  return ok(name, nearest === folder ? `${folder} can be written` : `${folder} can be made`);
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}
