import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import type { JudgedVariable, Settings } from "../settings/settings.js";
import type { UnknownVariable } from "../settings/unknown-variables.js";
import { type Finding, ok, reasonOf, warning, wrong } from "./checks.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** One finding for each variable that is set or wrong. */
export function checkVariables(variables: readonly JudgedVariable[]): Finding[] {
  const telling = variables.filter(({ isSet, problem }) => isSet || problem !== null);
  if (telling.length === 0) return [ok("settings", "none is set: the defaults apply")];
  return telling.map(({ name, problem }) => (problem === null ? ok(name, "has a valid form") : wrong(name, problem)));
}

/** One warning for each variable that nothing reads. */
export function checkUnknown(unknown: readonly UnknownVariable[]): Finding[] {
  return unknown.map(({ name, advice }) => warning(name, advice));
}

/**
 * Settings that are valid and still wrong for a public server. An unreadable public URL is already reported by its own
 * variable.
 */
export function checkExposure(settings: Settings, environment: Environment, isUrlUnread: boolean): Finding[] {
  const isProduction = environment.NODE_ENV === "production";
  const { BUDGETKIT_PUBLIC_URL: publicUrl, BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: allowsPrivate } = settings;
  const findings = isUrlUnread ? [] : [checkPublicUrl(publicUrl, isProduction)];
  if (allowsPrivate) {
    const message =
      "webhooks may lead to private addresses: unset BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS, it is for development";
    findings.push(isProduction ? wrong("destinations", message) : warning("destinations", message));
  } else findings.push(ok("destinations", "webhooks lead to public addresses only"));
  return findings;
}

function checkPublicUrl(publicUrl: string | null, isProduction: boolean): Finding {
  if (publicUrl !== null && !isLocal(new URL(publicUrl).hostname)) return ok("public URL", publicUrl);
  const message = `${publicUrl ?? "not set"}: public links lead to this machine only. Set BUDGETKIT_PUBLIC_URL to the public address of the server`;
  return isProduction ? wrong("public URL", message) : warning("public URL", message);
}

const LOCAL = /^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/i;

function isLocal(hostname: string): boolean {
  return LOCAL.test(hostname);
}

/** Checks that files can be created in a folder, or the folder itself when it is missing. */
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
