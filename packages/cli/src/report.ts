/** Where a command says something. Results go to `stdout`, everything else to `stderr`. */
export interface Report {
  /** A result: its text, or with `--json` the value as one line. */
  result(value: unknown, text: string): void;
  /** A line of a result that is a stream of its own form, whatever `--json` says. */
  line(text: string): Promise<void>;
  /** What somebody should know beside the result. */
  note(text: string): void;
  /** How far a long work is; seen on a terminal alone, on one line that changes. */
  progress(text: string): void;
}

/** The streams of this process. `isJson` is what `--json` asks for. */
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
