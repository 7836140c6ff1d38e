import { describe, expect, it, vi } from "vitest";
import { failureReporter, harmlessLogger } from "./logger.js";

function recorded() {
  const lines: [level: string, line: object, message: string][] = [];
  const to = (level: string) => (line: object, message: string) => void lines.push([level, line, message]);
  return { lines, logger: { debug: to("debug"), info: to("info"), warn: to("warn"), error: to("error") } };
}

describe("reporting a failure", () => {
  it("logs a failure with its causes and the request that it belongs to", () => {
    const { lines, logger } = recorded();
    const cause = Object.assign(new Error("connection lost"), { code: "ECONNRESET" });
    failureReporter(logger, undefined)(new TypeError("no answer", { cause }), "order-4711");
    expect(lines).toMatchObject([
      [
        "error",
        {
          requestId: "order-4711",
          err: { type: "TypeError", message: "no answer", cause: { message: "connection lost", code: "ECONNRESET" } },
        },
        "failure",
      ],
    ]);
  });

  it("logs no other property of an error, which may hold the values of a row", () => {
    const { lines, logger } = recorded();
    failureReporter(logger, undefined)(Object.assign(new Error("duplicate key"), { detail: "ana@example.com" }));
    expect(JSON.stringify(lines)).toContain("duplicate key");
    expect(JSON.stringify(lines)).not.toContain("ana@example.com");
  });

  it("logs an error whose causes form a circle, and a thrown value that is no error", () => {
    const { lines, logger } = recorded();
    const report = failureReporter(logger, undefined);
    const circle = new Error("circle");
    circle.cause = circle;
    report(circle);
    report("just text");
    expect(JSON.stringify(lines)).toContain('"message":"just text"');
  });

  it("calls the host's hook too, and writes to standard error only without logger and hook", () => {
    const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const { lines, logger } = recorded();
    const onError = vi.fn();
    const error = new Error("what");
    failureReporter(logger, onError)(error, "r-1");
    failureReporter(null, onError)(error);
    expect(onError.mock.calls).toEqual([[error, "r-1"], [error]]);
    expect(lines).toHaveLength(1);
    expect(printed).not.toHaveBeenCalled();
    failureReporter(null, undefined)(error, "r-2");
    expect(String(printed.mock.calls[0]?.[0])).toContain("budgetkit r-2: Error: what");
    printed.mockRestore();
  });
});

describe("a hook that throws", () => {
  it("a failing error hook leaves the reporting code alone, and both errors go to standard error", () => {
    const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const report = failureReporter(null, () => {
      throw new Error("the hook is broken");
    });
    report(new Error("what"), "r-3");
    const said = printed.mock.calls.map(([text]) => String(text));
    printed.mockRestore();
    expect(said).toEqual([
      expect.stringContaining("budgetkit r-3: Error: what"),
      expect.stringContaining("budgetkit background: Error: the hook is broken"),
    ]);
  });
});

describe("a logger that throws", () => {
  it("reports a logger that throws, and continues", () => {
    const reports: unknown[] = [];
    const full = () => {
      throw new Error("disk full");
    };
    const logger = harmlessLogger({ debug: full, info: full, warn: full, error: full }, (error) => reports.push(error));
    logger?.info({}, "request answered");
    expect(reports).toMatchObject([{ message: "disk full" }]);
  });
});
