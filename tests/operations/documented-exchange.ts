import type { HostRequest, HostResponse } from "@budgetkit/testing";
import type { DocumentedWorld } from "./documented-world.js";

/** A request as the description of the interface shows it. */
export interface ShownRequest {
  readonly method: string;
  readonly pattern: string; // such as /api-keys/{keyId}
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string | null; // of the body; null = none
  readonly body: unknown;
  readonly credential: "apiKey" | "login" | null; // null = none
}

/** Sends a request to the service of a world, byte for byte as it is shown. */
export function sendShown(
  { send, apiKey, login }: Pick<DocumentedWorld, "send" | "apiKey" | "login">,
  shown: ShownRequest,
): Promise<HostResponse> {
  const bearer = { apiKey, login }[shown.credential ?? "apiKey"];
  return send({
    method: shown.method,
    path: `/v1${targetOf(shown)}`,
    headers: {
      ...(shown.credential === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(shown.mediaType === null ? {} : { "content-type": contentTypeOf(shown.mediaType) }),
      ...shown.headers,
    },
    body: shown.mediaType === null ? null : bodyText(shown.mediaType, shown.body),
  } satisfies HostRequest);
}

/** Path and query, below /v1. */
export function targetOf({ pattern, path, query }: ShownRequest): string {
  const filled = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return parameters.size === 0 ? filled : `${filled}?${parameters}`;
}

function contentTypeOf(mediaType: string): string {
  return mediaType === "multipart/form-data" ? `${mediaType}; boundary=b` : mediaType;
}

function bodyText(mediaType: string, body: unknown): string {
  const fields = Object.entries(Object(body)).map(([name, value]): [string, string] => [name, String(value)]);
  switch (mediaType) {
    case "multipart/form-data":
      return `${fields.map(([name, value]) => filePart(name, value)).join("")}--b--\r\n`;
    case "application/x-www-form-urlencoded":
      return new URLSearchParams(fields).toString();
    default:
      return JSON.stringify(body);
  }
}

function filePart(name: string, text: string): string {
  const disposition = `form-data; name="${name}"; filename="plan.txt"`;
  return `--b\r\nContent-Disposition: ${disposition}\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`;
}
