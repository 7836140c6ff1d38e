import { BudgetkitError } from "@budgetkit/client";
import { CircleAlert, Lock, type LucideIcon, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { useWords } from "../words/use-words.js";
import { Button } from "./button.js";
import { CopyButton } from "./copy-button.js";
import styles from "./notices.module.css";

interface EmptyProps {
  readonly icon: LucideIcon;
  readonly title: string;
  /** One sentence: what it is good for. */
  readonly text: string;
  /** The next step. */
  readonly action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, text, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.frame}>
        <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      {action}
    </div>
  );
}

interface ErrorProps {
  /** What could not be loaded or done, as a title. */
  readonly title: string;
  readonly error: Error;
  readonly onRetry?: () => void;
}

/** What failed, why, by which request, and the way to try it again. */
export function ErrorPanel({ title, error, onRetry }: ErrorProps) {
  const words = useWords().common;
  const requestId = error instanceof BudgetkitError ? error.requestId : null;
  return (
    <div className={styles.error} role="alert">
      <h2>
        <CircleAlert size={16} aria-hidden="true" /> {title}
      </h2>
      <p>{messageOf(error, words)}</p>
      {requestId !== null && (
        <p className={styles.request}>
          {words.requestId} <code>{requestId}</code> <CopyButton text={requestId} />
        </p>
      )}
      {onRetry !== undefined && (
        <Button icon={RotateCw} onClick={onRetry}>
          {words.tryAgain}
        </Button>
      )}
    </div>
  );
}

/** The sentence of the service, or what the browser saw of it. */
export function messageOf(error: Error, words: ReturnType<typeof useWords>["common"]): string {
  if (!(error instanceof BudgetkitError)) return error.message;
  if (error.status === null) return words.unreachable;
  return error.message === "" ? words.answered(error.status) : error.message;
}

/** What is missing, and who can give it. */
export function NoRight({ right }: { readonly right: string }) {
  const words = useWords().common;
  return <EmptyState icon={Lock} title={words.noRightTitle} text={words.noRightText(right)} />;
}
