import type { Delivery, DeliveryAttempt } from "@budgetkit/client";
import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../deliveries.module.css";
import { isAccepted } from "../delivery-figures.js";
import { useDuration } from "../use-duration.js";

interface Props {
  readonly delivery: Delivery;
  readonly planned: number | undefined;
  readonly selected: number | undefined;
  readonly onSelect: (number: number) => void;
}

/** The attempts in order, and when the next one is due. */
export function AttemptList({ delivery, planned, selected, onSelect }: Props) {
  const words = useWords().webhooks;
  const formats = useFormats();
  const { attempts, nextAttemptAt, attemptCount } = delivery;
  const next = attemptCount + 1;
  return (
    <ol className={styles.attempts} aria-label={words.attempts}>
      {attempts.map((attempt) => (
        <li key={attempt.number}>
          <button
            type="button"
            className={styles.attempt}
            aria-pressed={attempt.number === selected}
            onClick={() => onSelect(attempt.number)}
          >
            <Attempt attempt={attempt} />
          </button>
        </li>
      ))}
      {nextAttemptAt !== null && (
        <li className={styles.attempt}>
          <CircleDashed size={15} className={styles.quiet} aria-hidden="true" />
          <span>
            {planned === undefined ? words.attempt(String(next)) : words.attemptOf(String(next), String(planned))}
          </span>
          <span className={styles.result}>{words.due}</span>
          <time dateTime={nextAttemptAt}>{formats.dateTime(nextAttemptAt)}</time>
        </li>
      )}
      {nextAttemptAt === null && attempts.length === 0 && <li className={styles.attempt}>{words.waitsForEarlier}</li>}
    </ol>
  );
}

function Attempt({ attempt }: { readonly attempt: DeliveryAttempt }) {
  const words = useWords().webhooks;
  const formats = useFormats();
  const durationOf = useDuration();
  const { number, startedAt, durationMs, responseCode, error } = attempt;
  const isGood = isAccepted(attempt);
  const Icon = isGood ? CircleCheck : CircleX;
  const duration = durationMs === null ? "" : `, ${durationOf(durationMs)}`;
  return (
    <>
      <Icon size={15} className={isGood ? styles.good : styles.bad} aria-hidden="true" />
      <span>{words.attempt(String(number))}</span>
      <span className={styles.result}>
        {responseCode === null ? (error ?? words.noAnswer) : words.answered(String(responseCode))}
        {duration}
      </span>
      {startedAt !== null && <time dateTime={startedAt}>{formats.dateTime(startedAt)}</time>}
    </>
  );
}
