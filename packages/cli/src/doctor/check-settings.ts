import type { JudgedVariable, Settings } from "../settings.js";
import { type Finding, ok, warning, wrong } from "./checks.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** One finding for each variable that is set or wrong. */
export function checkVariables(variables: readonly JudgedVariable[]): Finding[] {
  const telling = variables.filter(({ isSet, problem }) => isSet || problem !== null);
  if (telling.length === 0) return [ok("settings", "none is set: the defaults apply")];
  return telling.map(({ name, problem }) => (problem === null ? ok(name, "can be read") : wrong(name, problem)));
}

/**
 * What is right by itself and yet no good for a server that the world uses. Of a public URL that cannot be read, its
 * variable has told.
 */
export function checkExposure(settings: Settings, environment: Environment, isUrlUnread: boolean): Finding[] {
  const isProduction = environment.NODE_ENV === "production";
  const { BUDGETKIT_PUBLIC_URL: publicUrl, BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: allowsPrivate } = settings;
  const findings = isUrlUnread ? [] : [checkPublicUrl(publicUrl, isProduction)];
  if (allowsPrivate) {
    const says =
      "webhooks may lead to private addresses: unset BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS, it is for development";
    findings.push(isProduction ? wrong("destinations", says) : warning("destinations", says));
  } else findings.push(ok("destinations", "webhooks lead to public addresses only"));
  return findings;
}

function checkPublicUrl(publicUrl: string | null, isProduction: boolean): Finding {
  if (publicUrl !== null && !isLocal(new URL(publicUrl).hostname)) return ok("public URL", publicUrl);
  const says = `${publicUrl ?? "not set"}: public links lead to this machine alone. Set BUDGETKIT_PUBLIC_URL to where the world reaches the server`;
  return isProduction ? wrong("public URL", says) : warning("public URL", says);
}

const LOCAL = /^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/i;

function isLocal(hostname: string): boolean {
  return LOCAL.test(hostname);
}
