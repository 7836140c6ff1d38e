import { useCallback, useState } from "react";
import { Dialog } from "../../../components/dialog.js";
import { Key } from "../../../components/key.js";
import { useFormats } from "../../../formats/use-formats.js";
import { modKey } from "../../../shell/mod-key.js";
import { useShortcut } from "../../../shell/use-shortcut.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../budgets.module.css";
import { planOf } from "../budgets-plan.js";
import type { BudgetsSearch } from "../budgets-search.js";
import type { BudgetPages } from "./use-budget-pages.js";

interface Props {
  readonly pages: BudgetPages;
  readonly search: BudgetsSearch;
}

/** How many there are, and which keys work here. */
export function ListFoot({ pages, search }: Props) {
  const words = useWords().budgets;
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  const showKeys = useCallback(() => setOpen(true), []);
  useShortcut("?", showKeys);
  const { queries, keeps } = planOf(search, 0);
  const isCounted = queries.length === 1 && keeps === null;
  const total = isCounted ? Math.max(pages.first?.total ?? 0, pages.rows) : pages.rows;
  const isExact = isCounted ? pages.first?.totalIsLowerBound !== true : pages.isComplete;
  const keys = [
    ["J", "K", words.keys.move],
    ["X", words.keys.select],
    ["↵", words.keys.open],
  ] as const;
  return (
    <footer className={styles.foot}>
      <span role="status">
        {isExact ? words.count(total, formats.number(total)) : words.atLeast(formats.number(total))}
      </span>
      <span className={styles.footKeys}>
        {keys.map((each) => (
          <span key={each.at(-1)}>
            {each.slice(0, -1).map((key) => (
              <Key key={key}>{key}</Key>
            ))}{" "}
            {each.at(-1)}
          </span>
        ))}
        <button type="button" onClick={showKeys} aria-keyshortcuts="?">
          <Key>?</Key> {words.keys.all}
        </button>
      </span>
      {isOpen && <KeysDialog onClose={() => setOpen(false)} />}
    </footer>
  );
}

function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords().budgets;
  const rows = [
    ["J / K", words.keys.moveLong],
    ["X", words.keys.selectLong],
    ["Shift", words.keys.range],
    ["↵", words.keys.openLong],
    ["Esc", words.keys.leave],
    ["/", words.keys.search],
    ["F", words.keys.filter],
    ["N", words.keys.newBudget],
    ["Z", words.keys.undo],
    [`${modKey}K`, words.keys.palette],
    ["?", words.keys.all],
  ] as const;
  return (
    <Dialog title={words.keys.all} onClose={onClose}>
      <dl className={styles.keyList}>
        {rows.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
