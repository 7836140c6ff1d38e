import { CHANNELS, type Logger } from "@budgetkit/core";
import { DELIVERY_STATUSES, EVENT_TYPES } from "@budgetkit/core/store";
import type { HostRequest, HostResponse } from "@budgetkit/testing";
import { watch } from "../../packages/core/src/testing/watched-channel.js";

/** A shorter text may appear in a line by chance. */
const MIN_LENGTH = 8;
/** Words that clients send and that log lines contain anyway. */
const WORDS: ReadonlySet<string> = new Set([
  ...EVENT_TYPES.flatMap((type) => [type, ...type.split(".")]),
  ...DELIVERY_STATUSES,
]);
const SECRET_FIELD = /key|secret|token|password/i;

/** Records what a service logs and publishes, what clients send, and the secrets that responses carry. */
export function recordTelemetry() {
  const published = new Set<string>();
  const hidden = new Set<string>();
  const lines: Record<string, number> = { debug: 0, info: 0, warn: 0, error: 0 };
  const to = (level: keyof Logger) => (line: object, message: string) => {
    lines[level] = (lines[level] ?? 0) + 1;
    for (const value of textsOf({ message, ...line })) published.add(value);
  };
  const logger: Logger = { debug: to("debug"), info: to("info"), warn: to("warn"), error: to("error") };

  return {
    logger,
    lines,
    /** Subscribes to every channel; `atEnd` gets the functions that unsubscribe. Returns a count of the records by channel. */
    subscribe: (atEnd: (stop: () => void) => void): (() => Record<string, number>) => {
      const watched = Object.values(CHANNELS).map((name) => [name, watch(name, atEnd)] as const);
      return () => {
        for (const [, { ended }] of watched) {
          for (const { attributes } of ended) for (const value of textsOf(attributes)) published.add(value);
        }
        return Object.fromEntries(watched.map(([name, { ended }]) => [name, ended.length]));
      };
    },
    record: (request: HostRequest, response: HostResponse): void => {
      const [path = "", query = ""] = request.path.split("?");
      const sent = [
        ...String(request.headers.authorization ?? "").split(" "),
        ...new URLSearchParams(query).values(),
        ...textsOf(parsed(request.body)),
        ...path.split("/p/").slice(1),
      ];
      const given = secretsIn(parsed(response.text));
      for (const text of [...sent, ...given]) if (isHidden(text)) hidden.add(text);
    },
    /** The sent texts and secrets that a log line or a record contains. */
    leaks: (): string[] => {
      const everything = [...published].join("\n");
      return [...hidden].filter((text) => everything.includes(text) && !isPartOfWords(text, everything));
    },
    secrets: () => hidden.size,
  };
}

/** Log lines may name ids: numbers that say nothing without a credential. */
function isHidden(text: string): boolean {
  return text.length >= MIN_LENGTH && !WORDS.has(text) && !/^\d+$/.test(text);
}

/** True for a word that appears only inside longer words, such as names of functions. */
function isPartOfWords(text: string, everything: string): boolean {
  return /^[a-z]+$/i.test(text) && !new RegExp(`(?<![a-z])${text}(?![a-z])`, "i").test(everything);
}

function parsed(body: unknown): unknown {
  try {
    return typeof body === "string" ? JSON.parse(body) : null;
  } catch {
    return null;
  }
}

/** Walks with its own stack: some bodies of the suite are nested deeper than the call stack allows. */
function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) waiting.push(inner);
  }
  return texts;
}

function secretsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "string" && SECRET_FIELD.test(name) && !/prefix|id$/i.test(name) ? [inner] : secretsIn(inner),
  );
}
