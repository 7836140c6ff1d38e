/** The output of a command. Results go to `stdout`, everything else to `stderr`. */
export interface Report {
  /** A result: its text, or with `--json` the value as one line. */
  result(value: unknown, text: string): void;
  /** One line of a streamed result; its form does not depend on `--json`. */
  line(text: string): Promise<void>;
  /** A note beside the result. */
  note(text: string): void;
  /** Progress of a long operation; shown on a terminal only, on one line that changes. */
  progress(text: string): void;
}

/** The streams of this process. `isJson` = `--json` was given. */
export function processReport(isJson: boolean): Report {
  const isTerminal = process.stderr.isTTY === true;
  let hasProgress = false;
  const clear = () => {
    if (hasProgress) process.stderr.write("\r\u001b[K");
    hasProgress = false;
  };
  return {
    result: (value, text) => {
      clear();
      process.stdout.write(`${isJson ? JSON.stringify(value) : text}\n`);
    },
    line: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
      }),
    note: (text) => {
      clear();
      process.stderr.write(`${text}\n`);
    },
    progress: (text) => {
      if (!isTerminal) return;
      clear();
      process.stderr.write(text);
      hasProgress = true;
    },
  };
}
