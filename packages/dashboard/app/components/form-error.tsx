import { CircleAlert } from "lucide-react";
import { useWords } from "../words/use-words.js";
import styles from "./field.module.css";
import { messageOf } from "./notices.js";

/** Why a form was not taken, where no field shows it. */
export function FormError({ error }: { readonly error: Error | null }) {
  const words = useWords().common;
  if (error === null) return null;
  return (
    <p role="alert" className={styles.error}>
      <CircleAlert aria-hidden="true" size={14} />
      {messageOf(error, words)}
    </p>
  );
}
