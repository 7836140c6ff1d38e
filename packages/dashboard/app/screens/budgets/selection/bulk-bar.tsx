import { Bell, CalendarClock, Download, Trash2, X } from "lucide-react";
import { useCallback, useState } from "react";
import { Key } from "../../../components/key.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useMay } from "../../../session/use-session.js";
import { useShortcut } from "../../../shell/use-shortcut.js";
import { useWords } from "../../../words/use-words.js";
import { ExportDialog } from "../export/export-dialog.js";
import styles from "./bulk.module.css";
import { ExtendDialog } from "./extend-dialog.js";
import { RemindDialog } from "./remind-dialog.js";
import { ResultsDialog } from "./results-dialog.js";
import { NOTHING, type Selection, sumsOf } from "./selection.js";
import { useBulkActs } from "./use-bulk-acts.js";

interface Props {
  readonly selection: Selection;
  readonly onSelection: (change: (selection: Selection) => Selection) => void;
}

const SHOWN_SUMS = 2;

/** What can be done with all that is selected: it floats above the foot of the list. */
export function BulkBar({ selection, onSelection }: Props) {
  const words = useWords();
  const texts = words.budgets.bulk;
  const formats = useFormats();
  const mayWrite = useMay()("WRITE_BUDGETS");
  const [dialog, setDialog] = useState<"remind" | "extend" | "export" | null>(null);
  const leave = useCallback(() => onSelection(() => NOTHING), [onSelection]);
  const acts = useBulkActs(selection, onSelection);
  useShortcut("Escape", selection.size === 0 ? null : leave);
  const close = () => setDialog(null);
  const sums = sumsOf(selection).slice(0, SHOWN_SUMS);
  return (
    <>
      {selection.size > 0 && (
        <section className={styles.bulk} aria-label={texts.label}>
          <span role="status" className={styles.bulkCount}>
            <strong>{words.common.selected(selection.size)}</strong>{" "}
            {sums.map(({ currency, amount }) => formats.moneyText(amount, currency)).join(" · ")}
          </span>
          {mayWrite && (
            <>
              <button type="button" disabled={acts.isBusy} onClick={() => setDialog("remind")}>
                <Bell size={16} aria-hidden="true" />
                {texts.remind}
              </button>
              <button type="button" disabled={acts.isBusy} onClick={() => setDialog("extend")}>
                <CalendarClock size={16} aria-hidden="true" />
                {texts.extend}
              </button>
            </>
          )}
          <button type="button" onClick={() => setDialog("export")}>
            <Download size={16} aria-hidden="true" />
            {words.budgets.export.title}
          </button>
          {mayWrite && (
            <button type="button" disabled={acts.isBusy} onClick={acts.remove}>
              <Trash2 size={16} aria-hidden="true" />
              {words.common.delete}
            </button>
          )}
          <button
            type="button"
            className={styles.leave}
            onClick={leave}
            aria-label={`${texts.leave} (esc)`}
            aria-keyshortcuts="Escape"
          >
            <X size={16} aria-hidden="true" />
            <Key>esc</Key>
          </button>
        </section>
      )}
      {dialog === "remind" && (
        <RemindDialog
          count={selection.size}
          isBusy={acts.isBusy}
          onClose={close}
          onRemind={(message) => acts.remind(message, close)}
        />
      )}
      {dialog === "extend" && (
        <ExtendDialog
          count={selection.size}
          isBusy={acts.isBusy}
          onClose={close}
          onExtend={(day) => acts.extend(day, close)}
        />
      )}
      {dialog === "export" && <ExportDialog ids={[...selection.keys()]} search={{}} onClose={close} />}
      {acts.results !== null && <ResultsDialog {...acts.results} onClose={acts.closeResults} />}
    </>
  );
}
