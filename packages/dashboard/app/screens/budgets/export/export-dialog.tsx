import { useEffect, useRef, useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { ErrorPanel } from "../../../components/notices.js";
import { Segmented } from "../../../components/tabs.js";
import { useToast } from "../../../components/toast.js";
import { useFormats } from "../../../formats/use-formats.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../budgets.module.css";
import { planOf } from "../budgets-plan.js";
import type { BudgetsSearch } from "../budgets-search.js";
import type { ExportFormat } from "./csv.js";
import { download, type ExportProgress, exportFilter, exportSome } from "./export-budgets.js";
import { sleep } from "./sleep.js";

interface Props {
  readonly ids: readonly string[] | null; // null = all that the search finds
  readonly search: BudgetsSearch;
  readonly onClose: () => void;
}

type State =
  | { readonly kind: "ready" }
  | { readonly kind: "running"; readonly progress: ExportProgress | null }
  | { readonly kind: "failed"; readonly error: Error };

const MINUTE_MS = 60_000;

/** Writes a file page by page. Leaving the dialog ends it. */
export function ExportDialog({ ids, search, onClose }: Props) {
  const words = useWords();
  const texts = words.budgets.export;
  const toast = useToast();
  const [format, setFormat] = useState<ExportFormat>("csv");
  const [state, setState] = useState<State>({ kind: "ready" });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    const onProgress = (progress: ExportProgress) => {
      if (!signal.aborted) setState({ kind: "running", progress });
    };
    setState({ kind: "running", progress: null });
    try {
      const file =
        ids === null
          ? await exportFilter({
              format,
              plan: planOf(search, Date.now()),
              read: (query) => api.budgets.list(query, { signal }),
              sleep: (ms) => sleep(ms, signal),
              onProgress,
            })
          : await exportSome(format, ids, (id) => api.budgets.get(id, { signal }), onProgress);
      signal.throwIfAborted();
      download(file, `budgets-${new Date().toISOString().slice(0, 10)}.${format}`);
      toast({ text: texts.done });
      onClose();
    } catch (error) {
      if (!signal.aborted)
        setState({ kind: "failed", error: error instanceof Error ? error : new Error(String(error)) });
    }
  };
  const isRunning = state.kind === "running";
  return (
    <Dialog
      title={ids === null ? texts.allTitle : texts.someTitle(ids.length)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" busy={isRunning} onClick={() => void start()}>
            {texts.title}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Segmented
          label={texts.format}
          value={format}
          options={[
            { value: "csv", label: "CSV" },
            { value: "jsonl", label: texts.jsonLines },
          ]}
          onChange={setFormat}
        />
        <p className={styles.later}>{format === "csv" ? texts.csvText : texts.jsonText}</p>
        {state.kind === "running" && <Progress progress={state.progress} />}
        {state.kind === "failed" && <ErrorPanel title={texts.failed} error={state.error} />}
      </div>
    </Dialog>
  );
}

function Progress({ progress }: { readonly progress: ExportProgress | null }) {
  const texts = useWords().budgets.export;
  const formats = useFormats();
  if (progress === null) return <progress className={styles.progress} aria-label={texts.title} />;
  const { done, total, pauseMs } = progress;
  return (
    <div role="status">
      <progress className={styles.progress} aria-label={texts.title} max={Math.max(1, total)} value={done} />
      <p>
        {texts.progress(formats.number(done), formats.number(total))}
        {pauseMs !== null && ` ${texts.pause(formats.number(Math.ceil(pauseMs / MINUTE_MS)))}`}
      </p>
    </div>
  );
}
