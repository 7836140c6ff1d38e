/** A log line is an object of values and a message. A pino logger fits without an adapter. */
export interface Logger {
  debug(line: object, message: string): void;
  info(line: object, message: string): void;
  warn(line: object, message: string): void;
  error(line: object, message: string): void;
}

/** Receives a failure that no response reports. `requestId` is given when the failure belongs to a request. */
export type ReportError = (error: unknown, requestId?: string) => void;

/** Wraps the host's logger: its errors go to `report`. Null = no logger, so callers need not build lines. */
export function harmlessLogger(logger: Logger | null, report: ReportError): Logger | null {
  if (logger === null) return null;
  const to = (level: keyof Logger) => (line: object, message: string) => {
    try {
      logger[level](line, message);
    } catch (error) {
      report(error);
    }
  };
  return { debug: to("debug"), info: to("info"), warn: to("warn"), error: to("error") };
}

/** Reports failures to the logger and to the host's hook, if given; without both to standard error. */
export function failureReporter(logger: Logger | null, hook: ReportError | undefined): ReportError {
  const onError = hook === undefined ? undefined : harmlessHook(hook);
  const log = harmlessLogger(logger, onError ?? printFailure);
  if (log === null) return onError ?? printFailure;
  return (error, requestId) => {
    const line = { err: describeError(error) };
    log.error(requestId === undefined ? line : { requestId, ...line }, "failure");
    onError?.(error, requestId);
  };
}

/** Keeps errors of the host's hook away from the code that reports a failure. */
function harmlessHook(hook: ReportError): ReportError {
  return (...failure) => {
    try {
      hook(...failure);
    } catch (thrown) {
      printFailure(...failure);
      printFailure(thrown);
    }
  };
}

function printFailure(error: unknown, requestId?: string): void {
  process.stderr.write(
    `budgetkit ${requestId ?? "background"}: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
}

interface ErrorLine {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorLine;
}

const MAX_CAUSES = 5;

/** An error and its causes. Other properties are left out: a database error may hold the values of a row. */
function describeError(error: unknown, causes = MAX_CAUSES): ErrorLine {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined || causes === 0 ? {} : { cause: describeError(cause, causes - 1) }),
  };
}
