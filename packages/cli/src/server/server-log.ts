import type { Clock, Logger } from "@budgetkit/core";
import { LOG_LEVELS } from "../settings/settings.js";
import { printable } from "../terminal/complaint.js";

export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = "pretty" | "json";

export interface ServerLogOptions {
  readonly level: LogLevel; // lower ones are left out
  readonly format: LogFormat;
  readonly clock: Pick<Clock, "now">;
  /** Writes one line; the text has its line end. */
  write(line: string): void;
}

/** The log of the server: a line for each request and each webhook call, and lines of the server itself. */
export interface ServerLog {
  readonly logger: Logger;
  print(level: LogLevel, text: string): void;
}

export function createServerLog({ level: least, format, clock, write }: ServerLogOptions): ServerLog {
  function log(level: LogLevel, message: string, line: object): void {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
    const time = new Date(clock.now()).toISOString();
    const text =
      format === "json"
        ? JSON.stringify({ time, level, message, ...line })
        : `${time} ${level} ${pretty(line, message)}`;
    write(`${text}\n`);
  }
  const at = (level: LogLevel) => (line: object, message: string) => log(level, message, line);
  return {
    // `error` reports failures, which the failure log prints.
    logger: { debug: at("debug"), info: at("info"), warn: at("warn"), error: () => {} },
    print: (level, text) => log(level, text, {}),
  };
}

/** `GET /api/public/budgets 200 in 12.3 ms bytes=512 …`; a line without a request begins with the message. */
function pretty(line: object, message: string): string {
  const { method, route, status, durationMs, ...others } = { ...line } as Readonly<Record<string, unknown>>;
  if (method === undefined) return [message, ...pairsOf(line)].join(" ");
  return [`${method} ${route ?? "(unknown path)"} ${status} in ${durationMs} ms`, ...pairsOf(others)].join(" ");
}

function pairsOf(line: object): string[] {
  return Object.entries(line).map(([name, value]) => `${name}=${printable(String(value))}`);
}
