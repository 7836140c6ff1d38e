import { manualClock } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { createServerLog, type LogFormat, type LogLevel } from "./server-log.js";

const REQUEST = {
  requestId: "r-1",
  method: "GET",
  route: "/p/{token}",
  status: 200,
  durationMs: 12.5,
  bytes: 512,
};
const CALL = { deliveryId: "7", reason: "no\nanswer" };

function logged(format: LogFormat, level: LogLevel): string[] {
  const lines: string[] = [];
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const { logger, print } = createServerLog({ level, format, clock, write: (line) => void lines.push(line) });
  logger.debug(CALL, "webhook delivered");
  logger.info(REQUEST, "request answered");
  logger.info({ ...REQUEST, route: null, status: 404 }, "request answered");
  logger.warn(CALL, "webhook not delivered");
  logger.error({ err: {} }, "failure");
  print("error", "The store cannot serve.");
  return lines;
}

describe("the log of the server", () => {
  it("logs one readable line for each request", () => {
    expect(logged("pretty", "info")).toEqual([
      "2026-03-02T12:00:00.000Z info GET /p/{token} 200 in 12.5 ms requestId=r-1 bytes=512\n",
      "2026-03-02T12:00:00.000Z info GET (unknown path) 404 in 12.5 ms requestId=r-1 bytes=512\n",
      "2026-03-02T12:00:00.000Z warn webhook not delivered deliveryId=7 reason=no answer\n",
      "2026-03-02T12:00:00.000Z error The store cannot serve.\n",
    ]);
  });

  it("logs the same lines as JSON", () => {
    const time = "2026-03-02T12:00:00.000Z";
    expect(logged("json", "info").map((line) => JSON.parse(line))).toEqual([
      { time, level: "info", message: "request answered", ...REQUEST },
      { time, level: "info", message: "request answered", ...REQUEST, route: null, status: 404 },
      { time, level: "warn", message: "webhook not delivered", ...CALL },
      { time, level: "error", message: "The store cannot serve." },
    ]);
  });

  it("logs nothing below its level", () => {
    expect((["debug", "info", "warn", "error"] as const).map((level) => logged("json", level).length)).toEqual([
      5, 4, 2, 1,
    ]);
  });
});
