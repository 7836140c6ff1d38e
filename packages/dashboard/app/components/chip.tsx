import { useWords } from "../words/use-words.js";
import styles from "./chip.module.css";
import { type ShownState, StateGlyph } from "./state-glyph.js";

/** The state of a budget: a word, a shape of its own and a colour. */
export function StateChip({ state }: { readonly state: ShownState }) {
  const words = useWords().common.states;
  return (
    <span className={`${styles.chip} ${styles[state]}`}>
      <StateGlyph state={state} />
      <span>{words[state]}</span>
    </span>
  );
}

type Tone = "good" | "warn" | "bad" | "quiet" | "info";

interface StatusProps {
  readonly tone: Tone;
  readonly children: string;
}

/** A state of something else than a budget: a key, an endpoint, a person. */
export function StatusChip({ tone, children }: StatusProps) {
  return (
    <span className={`${styles.chip} ${styles[tone]}`}>
      <span className={styles.dot} aria-hidden="true" />
      <span>{children}</span>
    </span>
  );
}

/** A property. "choice" is what the customer decides. */
export function Tag({ kind = "plain", children }: { readonly kind?: "plain" | "choice"; readonly children: string }) {
  return <span className={`${styles.tag} ${kind === "choice" ? styles.choice : ""}`}>{children}</span>;
}
