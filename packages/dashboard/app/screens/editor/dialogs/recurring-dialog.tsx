import { SelectField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import type { Recurring } from "../document/line.js";
import styles from "./dialogs.module.css";
import { FigureField } from "./figure-field.js";
import { LineDialog } from "./line-dialog.js";
import type { LineDialogProps } from "./line-dialogs.js";

const INTERVALS = ["week", "month", "year"] as const;

/** How often a line is charged. */
export function RecurringDialog({ budget, line, onClose }: LineDialogProps) {
  const words = useWords().editor;
  const texts = words.recurring;
  const start: Recurring = line.recurring ?? { interval: "year", intervalCount: "1", cycles: "" };
  return (
    <LineDialog
      title={texts.title}
      budget={budget}
      line={line}
      fields={["recurring"]}
      start={{ recurring: start }}
      none={line.recurring === null ? undefined : { recurring: null }}
      onClose={onClose}
    >
      {({ recurring }, set) => {
        const shown = recurring ?? start;
        const write = (changes: Partial<Recurring>) => set({ recurring: { ...shown, ...changes } });
        return (
          <>
            <p>{texts.text}</p>
            <div className={styles.row}>
              <FigureField
                label={texts.every}
                value={shown.intervalCount}
                onChange={(intervalCount) => write({ intervalCount })}
              />
              <SelectField
                label={texts.interval}
                value={shown.interval}
                options={INTERVALS.map((value) => ({ value, label: texts.intervals[value] }))}
                onChange={(interval) => write({ interval })}
              />
              <FigureField
                label={texts.cycles}
                hint={texts.cyclesHint}
                value={shown.cycles}
                onChange={(cycles) => write({ cycles })}
              />
            </div>
          </>
        );
      }}
    </LineDialog>
  );
}
