import type { Delivery } from "@budgetkit/client";
import { shellText } from "../../../formats/shell-text.js";

/** What the receiver got with an attempt. The signature is known to who has the secret. */
export interface ShownRequest {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export interface Signatures {
  readonly standard: string; // of webhook-signature
  readonly service: string; // of x-service-signature
}

const HIDDEN: Signatures = { standard: "v1,…", service: "sha256=…" };

export function requestOf(
  { id, payload }: Pick<Delivery, "id" | "payload">,
  startedAt: string | null,
  signatures: Signatures = HIDDEN,
): ShownRequest {
  return {
    headers: [
      ["content-type", "application/json"],
      ["webhook-id", id],
      ["webhook-timestamp", startedAt === null ? "…" : String(secondsOf(startedAt))],
      ["webhook-signature", signatures.standard],
      ["x-service-signature", signatures.service],
    ],
    body: JSON.stringify(payload),
  };
}

export function secondsOf(iso: string): number {
  return Math.floor(Date.parse(iso) / 1_000);
}

/** The request as a command for a terminal; signatures that are not known are left out. */
export function curlOf(url: string, { headers, body }: ShownRequest): string {
  const known = headers.filter(([, value]) => !value.includes("…"));
  return [
    `curl -X POST ${shellText(url)}`,
    ...known.map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    `--data-raw ${shellText(body)}`,
  ].join(" \\\n  ");
}
