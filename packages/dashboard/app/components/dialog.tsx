import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useWords } from "../words/use-words.js";
import { Button, IconButton } from "./button.js";
import styles from "./dialog.module.css";

interface Props {
  /** A verb: what the dialog does. */
  readonly title: string;
  readonly onClose: () => void;
  readonly width?: "normal" | "wide";
  readonly children: ReactNode;
  /** The buttons at its foot. */
  readonly actions?: ReactNode;
}

/** A modal dialog of the browser: it keeps the focus, closes by Escape and gives the focus back. A sheet on phones. */
export function Dialog({ title, onClose, width = "normal", children, actions }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const words = useWords().common;
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // React focuses a field while the dialog is still closed, in vain; the browser then takes the first button.
    dialog?.querySelector<HTMLElement>("[data-autofocus=true]")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={`${styles.dialog} ${width === "wide" ? styles.wide : ""}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className={styles.header}>
        <h2 id={titleId}>{title}</h2>
        <IconButton icon={X} label={words.close} size="small" onClick={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
      {actions !== undefined && <footer className={styles.actions}>{actions}</footer>}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** What happens then, in one sentence. */
  readonly text: ReactNode;
  /** The verb on the button. */
  readonly verb: string;
  readonly kind?: "primary" | "destroy";
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ConfirmDialog({ title, text, verb, kind = "destroy", busy = false, onConfirm, onClose }: ConfirmProps) {
  const words = useWords().common;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind={kind} busy={busy} onClick={onConfirm}>
            {verb}
          </Button>
        </>
      }
    >
      {typeof text === "string" ? <p>{text}</p> : text}
    </Dialog>
  );
}
