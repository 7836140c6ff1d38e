import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import styles from "./field.module.css";

/** What a control needs to be read together with its label, hint and error. */
interface ControlProps {
  readonly id: string;
  readonly className: string | undefined;
  readonly "aria-invalid": true | undefined;
  readonly "aria-describedby": string | undefined;
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** A sentence that says what is wrong and how it is right; null = nothing is. */
  readonly error?: string | null | undefined;
  /** The label is for screen readers alone. */
  readonly hideLabel?: boolean;
}

interface Props extends FieldProps {
  readonly children: (control: ControlProps) => ReactNode;
}

/** Label above, error below: the frame of every control. */
export function Field({ label, hint, error = null, hideLabel = false, children }: Props) {
  const id = useId();
  const errorId = `${id}error`;
  const hintId = `${id}hint`;
  const described = [error === null ? "" : errorId, hint === undefined ? "" : hintId].filter(Boolean).join(" ");
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : styles.label}>
        {label}
      </label>
      {children({
        id,
        className: styles.control,
        "aria-invalid": error === null ? undefined : true,
        "aria-describedby": described === "" ? undefined : described,
      })}
      {error !== null && (
        <p id={errorId} className={styles.error}>
          <CircleAlert aria-hidden="true" size={14} />
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
