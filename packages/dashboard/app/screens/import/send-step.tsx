import { BudgetkitError } from "@budgetkit/client";
import { Download, RotateCw } from "lucide-react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { messageOf } from "../../components/notices.js";
import { useFormats } from "../../formats/use-formats.js";
import { useWords } from "../../words/use-words.js";
import { download } from "../budgets/export/export-budgets.js";
import styles from "./import.module.css";
import type { ImportKind, ImportValue } from "./import-kind.js";
import type { PlannedRow } from "./plan-rows.js";
import { ProblemList, type RowProblem } from "./problem-list.js";
import { isTransient } from "./send-rows.js";
import { useSendRows } from "./use-send-rows.js";
import { writeCsv } from "./write-csv.js";

interface Props<F extends string, I extends { readonly [Field in F]?: ImportValue }> {
  readonly kind: ImportKind<F, I>;
  readonly title: string;
  readonly labels: Readonly<Record<F, string>>;
  readonly planned: readonly PlannedRow<F, I>[];
  readonly header: readonly string[];
  readonly runId: string;
  readonly onClose: () => void;
}

/** How far it is, and at the end what was created, what failed and why. */
export function SendStep<F extends string, I extends { readonly [Field in F]?: ImportValue }>(props: Props<F, I>) {
  const { kind, title, labels, planned, header, runId, onClose } = props;
  const words = useWords();
  const texts = words.customers.importing;
  const formats = useFormats();
  const sendable = planned.filter(({ problems }) => problems.size === 0);
  const { isRunning, progress, created, failed, send, cancel } = useSendRows(kind, sendable, runId);
  if (isRunning) {
    const done = created.size + progress.created + progress.failed;
    return (
      <Dialog
        title={texts.sending}
        width="wide"
        onClose={cancel}
        actions={<Button onClick={cancel}>{texts.stop}</Button>}
      >
        <progress className={styles.progress} aria-label={texts.sending} value={done} max={sendable.length} />
        <p role="status">
          {progress.pauseMs === null
            ? texts.progress(formats.number(done), formats.number(sendable.length))
            : texts.paused(Math.ceil(progress.pauseMs / 1_000))}
        </p>
      </Dialog>
    );
  }
  const known: Readonly<Record<string, string>> = labels;
  const unsent = sendable.filter((row) => !created.has(row) && !failed.has(row));
  const again = [...unsent, ...[...failed].flatMap(([row, error]) => (isTransient(error) ? [row] : []))];
  const problemsOf = (row: PlannedRow<F, I>): readonly RowProblem[] => {
    const { line } = row;
    const error = failed.get(row);
    if (row.problems.size > 0) {
      return [...row.problems].map(([field, problem]) => ({
        line,
        field: labels[field],
        text: texts.cellProblems[problem],
      }));
    }
    if (error === undefined) return [{ line, field: null, text: texts.notSent }];
    const named = error instanceof BudgetkitError ? error.fieldErrors : [];
    if (named.length === 0) return [{ line, field: null, text: messageOf(error, words.common) }];
    return named.map(({ field, message }) => ({ line, field: known[field] ?? field, text: message }));
  };
  const left = planned.filter((row) => !created.has(row));
  const downloadLeft = () => {
    const rows = left.map((row) => [
      ...header.map((_, column) => row.cells[column] ?? ""),
      problemsOf(row)
        .map(({ field, text }) => (field === null ? text : `${field}: ${text}`))
        .join(" | "),
    ]);
    download(
      new Blob([writeCsv([[...header, texts.errorColumn], ...rows])], { type: "text/csv;charset=utf-8" }),
      `${kind.kind}-failed.csv`,
    );
  };
  return (
    <Dialog
      title={title}
      width="wide"
      onClose={onClose}
      actions={
        <>
          {left.length > 0 && (
            <Button icon={Download} onClick={downloadLeft}>
              {texts.downloadFailed(left.length)}
            </Button>
          )}
          {again.length > 0 && (
            <Button icon={RotateCw} onClick={() => void send(again)}>
              {texts.sendAgain(again.length)}
            </Button>
          )}
          <Button kind="primary" onClick={onClose}>
            {words.common.close}
          </Button>
        </>
      }
    >
      <div className={styles.step}>
        <p role="status">{texts.result(created.size, left.length)}</p>
        {left.length > 0 && <p className={styles.hint}>{texts.failedHint}</p>}
        <ProblemList problems={left.flatMap(problemsOf)} />
      </div>
    </Dialog>
  );
}
