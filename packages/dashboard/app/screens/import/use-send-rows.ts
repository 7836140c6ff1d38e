import { useCallback, useEffect, useRef, useState } from "react";
import { sleep } from "../budgets/export/sleep.js";
import { useRecordsChanged } from "../records/use-deletion.js";
import type { ImportKind, ImportValue } from "./import-kind.js";
import type { PlannedRow } from "./plan-rows.js";
import { type SendProgress, sendRows } from "./send-rows.js";

export interface SendState<R> {
  readonly isRunning: boolean;
  readonly progress: SendProgress;
  readonly created: ReadonlySet<R>;
  readonly failed: ReadonlyMap<R, Error>;
}

const NOTHING: SendProgress = { created: 0, failed: 0, pauseMs: null };

/** Sends rows as soon as it is mounted. A row keeps its key over all attempts, so that none is created twice. */
export function useSendRows<F extends string, I extends { readonly [Field in F]?: ImportValue }>(
  kind: ImportKind<F, I>,
  rows: readonly PlannedRow<F, I>[],
  runId: string,
) {
  type Row = PlannedRow<F, I>;
  const changed = useRecordsChanged(kind.kind);
  const controller = useRef<AbortController>(null);
  const [state, setState] = useState<SendState<Row>>(() => ({
    isRunning: true,
    progress: NOTHING,
    created: new Set(),
    failed: new Map(),
  }));

  const send = useCallback(
    async (some: readonly Row[]) => {
      const abort = new AbortController();
      controller.current = abort;
      const { signal } = abort;
      setState((before) => ({ ...before, isRunning: true, progress: NOTHING }));
      const result = await sendRows({
        rows: some,
        send: (row) => kind.create(row.input, { idempotencyKey: `import-${runId}-${row.line}`, signal, retries: 0 }),
        sleep: (ms) => sleep(ms, signal),
        signal,
        onProgress: (progress) => {
          if (controller.current === abort) setState((before) => ({ ...before, progress }));
        },
      });
      if (controller.current !== abort) return;
      setState((before) => ({
        isRunning: false,
        progress: NOTHING,
        created: new Set([...before.created, ...result.created]),
        failed: new Map([...[...before.failed].filter(([row]) => !some.includes(row)), ...result.failed]),
      }));
    },
    [kind, runId],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with the rows that it was mounted with
  useEffect(() => {
    void send(rows);
    return () => {
      const last = controller.current;
      controller.current = null;
      last?.abort();
      changed();
    };
  }, []);

  const { isRunning } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists are read again once it has ended
  useEffect(() => {
    if (!isRunning) changed();
  }, [isRunning]);

  return { ...state, send, cancel: () => controller.current?.abort() };
}
