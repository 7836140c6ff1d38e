import { Link } from "@tanstack/react-router";
import { ArrowLeft, Eye, EyeOff, Redo2, Send, Undo2 } from "lucide-react";
import { useEffect } from "react";
import { Button, IconButton } from "../../../components/button.js";
import { StateChip } from "../../../components/chip.js";
import { shownStateOf } from "../../../components/state-glyph.js";
import { useFormats } from "../../../formats/use-formats.js";
import { modKey } from "../../../shell/mod-key.js";
import { useWords } from "../../../words/use-words.js";
import type { EditorState } from "../state/editor-state.js";
import styles from "./editor-header.module.css";

interface Props {
  readonly state: EditorState;
  readonly changes: number; // that are not saved
  readonly isSaving: boolean;
  readonly isPageShown: boolean;
  readonly onTogglePage: () => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onSave: () => void;
  readonly onSend: () => void;
}

export function EditorHeader(props: Props) {
  const { state, changes, isSaving, isPageShown } = props;
  const words = useWords();
  const texts = words.editor;
  const { saved, history } = state;
  const name = history.present.head.customer?.name ?? "";
  const title = saved.id === null && name === "" ? texts.newTitle : texts.titleFor(name === "" ? texts.untitled : name);
  useEffect(() => {
    document.title = `${title} · Budgetkit`;
  }, [title]);
  const status = saved.source?.status ?? "DRAFT";
  return (
    <header className={styles.header}>
      <Link
        className={styles.back}
        title={words.common.back}
        aria-label={words.common.back}
        {...(saved.id === null ? { to: "/budgets" } : { to: "/budgets/$budgetId", params: { budgetId: saved.id } })}
      >
        <ArrowLeft size={16} aria-hidden="true" />
      </Link>
      <div className={styles.title}>
        <h1>{title}</h1>
        <StateChip state={saved.source === null ? "DRAFT" : shownStateOf(saved.source)} />
        <SavedState state={state} changes={changes} isSaving={isSaving} />
      </div>
      <div className={styles.actions}>
        <IconButton
          icon={Undo2}
          label={texts.undo}
          shortcut={`${modKey}Z`}
          disabled={history.past.length === 0}
          onClick={props.onUndo}
        />
        <IconButton
          icon={Redo2}
          label={texts.redo}
          shortcut={`⇧${modKey}Z`}
          disabled={history.future.length === 0}
          onClick={props.onRedo}
        />
        <span className={styles.toggle}>
          <IconButton
            icon={isPageShown ? EyeOff : Eye}
            label={isPageShown ? texts.hidePage : texts.showPage}
            aria-pressed={isPageShown}
            onClick={props.onTogglePage}
          />
        </span>
        <Button busy={isSaving} shortcut={`${modKey}S`} aria-keyshortcuts="Control+S" onClick={props.onSave}>
          {status === "DRAFT" ? texts.saveDraft : words.common.save}
        </Button>
        <Button kind="primary" icon={Send} disabled={isSaving} shortcut={`${modKey}↵`} onClick={props.onSend}>
          {texts.send}
        </Button>
      </div>
    </header>
  );
}

function SavedState({ state: { saved }, changes, isSaving }: Pick<Props, "state" | "changes" | "isSaving">) {
  const words = useWords();
  const formats = useFormats();
  const last = saved.savedAt === null ? null : formats.time(saved.savedAt);
  return (
    <p className={styles.saved} role="status">
      {isSaving ? (
        words.common.saving
      ) : (
        <>
          {changes > 0 && <strong>{words.editor.notSaved(changes)}</strong>}
          {last !== null && <span>{words.editor.lastSaved(last)}</span>}
        </>
      )}
    </p>
  );
}
