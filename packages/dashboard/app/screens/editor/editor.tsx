import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { ConfirmDialog } from "../../components/dialog.js";
import { useFormats } from "../../formats/use-formats.js";
import { useSession } from "../../session/use-session.js";
import type { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { decimalMarkOf, minorDigitsOf } from "./document/decimals.js";
import type { Head } from "./document/edited-budget.js";
import { priced as pricedOf } from "./document/figures.js";
import { editedTaxOf } from "./document/from-budget.js";
import { isBlank } from "./document/line.js";
import { unsavedBodyOf } from "./document/previewable.js";
import type { FieldProblem } from "./document/problems.js";
import styles from "./editor.module.css";
import { type EditorTools, EditorToolsProvider, type LineDialogKind } from "./editor-context.js";
import { TotalsBar } from "./foot/totals-bar.js";
import { Grid } from "./grid/grid.js";
import { cellOf } from "./grid/grid-cells.js";
import { nameOf } from "./grid/use-grid-keys.js";
import { FurtherFields } from "./head/further-fields.js";
import { HeadFields } from "./head/head-fields.js";
import { EditorHeader } from "./header/editor-header.js";
import { KeptNotice, ProblemSummary, SaveError } from "./header/notices.js";
import { differencesOf } from "./merge/differences.js";
import { PagePane } from "./page/page-pane.js";
import { useProblemText } from "./problem-text.js";
import { goToProblem, shownProblems } from "./shown-problems.js";
import type { EditorState } from "./state/editor-state.js";
import { forgetHandedOver, handOver } from "./state/handed-over.js";
import { useEditorState } from "./state/use-editor-state.js";
import { forgetDraft, useKeptDraft } from "./state/use-kept-draft.js";
import { useLeaveGuard } from "./state/use-leave-guard.js";
import { useSaving } from "./state/use-saving.js";
import { useEditorKeys } from "./use-editor-keys.js";
import { useFocusCell } from "./use-focus-cell.js";
import { useWide } from "./use-wide.js";

const LineDialogs = lazy(() =>
  import("./dialogs/line-dialogs.js").then(({ LineDialogs }) => ({ default: LineDialogs })),
);
const MergeDialog = lazy(() => import("./merge/merge-dialog.js").then(({ MergeDialog }) => ({ default: MergeDialog })));
const SendDialog = lazy(() => import("../budget/send-dialog.js").then(({ SendDialog }) => ({ default: SendDialog })));

interface Props {
  readonly business: Awaited<ReturnType<typeof api.business.get>>;
  readonly start: () => EditorState;
  /** Asks at once to whom the budget goes. */
  readonly startsSending?: boolean;
}

export function Editor({ business, start, startsSending = false }: Props) {
  const words = useWords();
  const texts = words.editor;
  const formats = useFormats();
  const navigate = useNavigate();
  const problemText = useProblemText();
  const { businessId, userId } = useSession();
  const owner = { businessId, userId };
  const root = useRef<HTMLDivElement>(null);
  const focusCell = useFocusCell(root);
  const editor = useEditorState(start);
  const { state, change, closeStep, undo, redo } = editor;
  const budget = state.history.present;
  const { saved } = state;
  const [startId] = useState(saved.id);
  const [live, announce] = useState("");
  const [dialog, setDialog] = useState<{ readonly line: string; readonly kind: LineDialogKind } | null>(null);
  const [isSending, setSending] = useState(startsSending);
  const isToSend = useRef(false);
  const [isTried, setTried] = useState(false);
  const [editing, setEditing] = useState<string | null>(null);
  const [isPageShown, togglePage] = useWide();

  const priced = useMemo(() => pricedOf(budget), [budget]);
  const changes = useMemo(() => differencesOf(saved.budget, budget), [saved.budget, budget]).length;
  const isDirty = changes > 0;
  const saving = useSaving(editor, business.timeZone);
  const kept = useKeptDraft(owner, editor, isDirty);
  const mayLeave = useRef(false);
  const guard = useLeaveGuard(() => isDirty && !mayLeave.current);

  const knownTaxes = useMemo(() => (business.taxes ?? []).map(editedTaxOf), [business.taxes]);
  const { currency } = budget.head;
  const minorDigits = useMemo(() => minorDigitsOf(currency), [currency]);
  const tools = useMemo<EditorTools>(
    () => ({
      change,
      closeStep,
      formats,
      mark: decimalMarkOf(formats.locale),
      currency,
      minorDigits,
      knownTaxes,
      focusCell,
      openDialog: (line, kind) => setDialog({ line, kind }),
      announce,
    }),
    [change, closeStep, formats, currency, minorDigits, knownTaxes, focusCell],
  );

  // A budget that was just created goes on at its own address.
  const isCreated = saved.id !== null && startId !== saved.id;
  useEffect(() => {
    if (!isCreated || saved.id === null) return;
    handOver(state, isToSend.current);
    mayLeave.current = true;
    void navigate({ to: "/budgets/$budgetId/edit", params: { budgetId: saved.id }, replace: true });
  }, [isCreated, saved.id, state, navigate]);
  useEffect(() => forgetHandedOver, []);

  const problems = shownProblems(priced.problems, saving.refused, isTried);
  const errorOf = (field: keyof Head) => {
    const found = problems.find((problem) => problem.line === null && problem.field === field);
    return found === undefined ? null : problemText(found);
  };
  const save = async () => {
    setTried(true);
    const [first] = priced.problems;
    if (first !== undefined) {
      goToProblem(root.current, first);
      return null;
    }
    const answer = await saving.save();
    if (answer !== null) setTried(false);
    return answer;
  };
  const send = async () => {
    isToSend.current = true;
    const budgetToSend = isDirty || saved.id === null ? await save() : saved.source;
    isToSend.current = budgetToSend !== null; // the effect that hands it over may run later
    if (budgetToSend !== null) setSending(true);
  };
  const keys = { undo, redo, save: () => void save(), send: () => void send() };
  useEditorKeys(keys);

  const line = dialog === null ? undefined : budget.lines.find(({ key }) => key === dialog.line);
  const body = unsavedBodyOf(budget, priced.problems, {
    id: saved.id,
    lineId: (key) => (saved.budget.lines.some((each) => each.key === key) ? (saved.ids[key] ?? key) : null),
  });
  return (
    <EditorToolsProvider value={tools}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only learns which line is being written */}
      <div
        ref={root}
        className={`${styles.editor} ${isPageShown ? styles.withPage : ""}`}
        onFocus={(event) => {
          const cell = cellOf(event.target);
          if (cell !== null) setEditing(nameOf(budget.lines, cell.line));
        }}
      >
        <EditorHeader
          state={state}
          changes={changes}
          isSaving={saving.isSaving}
          isPageShown={isPageShown}
          onTogglePage={togglePage}
          onUndo={undo}
          onRedo={redo}
          onSave={keys.save}
          onSend={keys.send}
        />
        <div className={styles.main}>
          <div className={styles.content}>
            {kept.offered !== null && (
              <KeptNotice draft={kept.offered} onRestore={kept.restore} onDiscard={kept.discard} />
            )}
            {saving.error !== null && saving.refused.length === 0 && (
              <SaveError error={saving.error} onRetry={keys.save} />
            )}
            {isTried && problems.length > 0 && (
              <ProblemSummary
                problems={problems}
                nameOf={(key) => nameOf(budget.lines, key)}
                onGo={(problem: FieldProblem) => goToProblem(root.current, problem)}
              />
            )}
            <HeadFields budget={budget} priced={priced} isSaved={saved.id !== null} errorOf={errorOf} />
            <Grid budget={budget} priced={priced} problems={problems} />
            <FurtherFields head={budget.head} businessTerms={business.terms} errorOf={errorOf} />
          </div>
        </div>
        <TotalsBar figures={budget.lines.every(isBlank) ? null : priced.figures} currency={currency} />
        {isPageShown && <PagePane body={body} editing={editing} />}
        <p className="visually-hidden" aria-live="polite">
          {live}
        </p>
      </div>
      <Suspense fallback={null}>
        {dialog !== null && line !== undefined && (
          <LineDialogs kind={dialog.kind} budget={budget} line={line} onClose={() => setDialog(null)} />
        )}
        {saving.conflict !== null && (
          <MergeDialog
            sides={{ base: saved.budget, mine: budget, theirs: saving.conflict.theirs.budget }}
            savedAt={saving.conflict.answer.updatedAt}
            isSaving={saving.isSaving}
            onMerge={(merged) => void saving.saveMerged(merged)}
            onCopy={() => void saving.saveAsCopy()}
            onDiscard={saving.takeTheirs}
            onClose={saving.closeConflict}
          />
        )}
        {isSending && saved.source !== null && (
          <SendDialog
            budget={saved.source}
            onClose={() => setSending(false)}
            onSent={() => {
              mayLeave.current = true;
              void navigate({ to: "/budgets/$budgetId", params: { budgetId: saved.id ?? "" } });
            }}
          />
        )}
      </Suspense>
      {guard.leave !== null && guard.stay !== null && (
        <ConfirmDialog
          title={texts.leave.title}
          text={texts.leave.text(changes)}
          verb={texts.leave.verb}
          onClose={guard.stay}
          onConfirm={() => {
            forgetDraft(owner, saved.id);
            mayLeave.current = true;
            guard.leave?.();
          }}
        />
      )}
    </EditorToolsProvider>
  );
}
