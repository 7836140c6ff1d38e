import { useWords } from "../../../words/use-words.js";
import { writeDecimal } from "../document/decimals.js";
import type { Line } from "../document/line.js";
import { type LineDialogKind, useEditorTools } from "../editor-context.js";
import styles from "./line-tags.module.css";

/** What a line has beside its price, as buttons that open it. Blue is what the customer decides. */
export function LineTags({ line, options }: { readonly line: Line; readonly options: number }) {
  const words = useWords().editor;
  const { mark, formats, openDialog } = useEditorTools();
  const { kind, optional, range, tiers, recurring, unit, minimum, maximum } = line;
  const number = (value: string) => writeDecimal(value, mark, true);
  const tags: { text: string; dialog: LineDialogKind | null; isChoice: boolean }[] = [];
  if (kind === "choice")
    tags.push({ text: words.tags.choice(minimum, maximum, options), dialog: "choice", isChoice: true });
  if (optional) tags.push({ text: words.tags.optional, dialog: null, isChoice: true });
  if (range !== null) {
    const text = words.tags.range(number(range.minimum), number(range.maximum), unit, number(range.step));
    tags.push({ text, dialog: "range", isChoice: true });
  }
  if (tiers.length > 0) tags.push({ text: words.tags.tiers(tiers.length), dialog: "tiers", isChoice: false });
  if (recurring !== null) {
    const text = words.tags.recurring(
      words.every(recurring.interval, Number(recurring.intervalCount)),
      recurring.cycles,
    );
    tags.push({ text, dialog: "recurring", isChoice: false });
  }
  if (line.unitCost !== "") {
    const cost = Number(line.unitCost);
    tags.push({
      text: words.tags.cost(Number.isFinite(cost) ? formats.number(cost) : line.unitCost),
      dialog: "cost",
      isChoice: false,
    });
  }
  return tags.map(({ text, dialog, isChoice }) =>
    dialog === null ? (
      <span key={text} className={`${styles.tag} ${isChoice ? styles.choice : ""}`}>
        {text}
      </span>
    ) : (
      <button
        key={text}
        type="button"
        tabIndex={-1}
        className={`${styles.tag} ${isChoice ? styles.choice : ""}`}
        onClick={() => openDialog(line.key, dialog)}
      >
        {text}
      </button>
    ),
  );
}
