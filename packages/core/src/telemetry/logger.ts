/** Takes log lines: an object of values and a message. A pino logger is one as it is. */
export interface Logger {
  debug(line: object, message: string): void;
  info(line: object, message: string): void;
  warn(line: object, message: string): void;
  error(line: object, message: string): void;
}

/** Told of a failure that is not an answer to the client, with the id of the request where it belongs to one. */
export type ReportError = (error: unknown, requestId?: string) => void;

/**
 * The host's logger, such that one that throws harms nothing: `report` is told. Null stays null, and then lines need
 * not be made.
 */
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

/** Reports failures to the logger and to the host's own hook, whichever there are; without either to standard error. */
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

/** Who reports a failure goes on with what it has to do, whatever the host's hook does. */
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

/** An error as it is logged. */
interface ErrorLine {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorLine;
}

const MAX_CAUSES = 5;

/**
 * An error and what caused it. Its other properties stay out: those of a database's error hold the values of a row, and
 * a logger would write all that it finds.
 */
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
