import { CircleAlert } from "lucide-react";
import { messageOf } from "../../../components/notices.js";
import { useWords } from "../../../words/use-words.js";
import styles from "./actions.module.css";
import { refusalOf } from "./use-budget-write.js";

interface Props {
  readonly error: Error | null;
  /** Fields that show their own refusals. */
  readonly fields?: readonly string[];
}

/** Why the service refused, in its words, where no field of the dialog says it. */
export function Refusal({ error, fields = [] }: Props) {
  const words = useWords().common;
  if (error === null || fields.some((field) => refusalOf(error, field) !== null)) return null;
  return (
    <p role="alert" className={styles.refusal}>
      <CircleAlert size={16} aria-hidden="true" />
      {messageOf(error, words)}
    </p>
  );
}
