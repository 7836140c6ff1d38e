import type { Settings } from "../settings/settings.js";

const EVERY_ADDRESS = ["0.0.0.0", "::"];

/** The URL for a browser on this machine; a server that listens on all addresses is reached at localhost. */
export function listeningUrl(host: string, port: number): string {
  if (EVERY_ADDRESS.includes(host)) return `http://localhost:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Where public links lead, and the issuer of evidence: the setting, else the address of the server itself. */
export function publicUrlOf(
  { BUDGETKIT_PUBLIC_URL: set, HOST }: Pick<Settings, "BUDGETKIT_PUBLIC_URL" | "HOST">,
  port: number,
): string {
  return set ?? `${listeningUrl(HOST, port)}/v1`;
}
