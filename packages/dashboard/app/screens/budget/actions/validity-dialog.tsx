import type { Budget } from "@budgetkit/client";
import { useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { TextField } from "../../../components/inputs.js";
import { useToast } from "../../../components/toast.js";
import { useFormats } from "../../../formats/use-formats.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import styles from "./actions.module.css";
import { dayIn, daysLater } from "./calendar-day.js";
import { ConflictDialog } from "./conflict-dialog.js";
import { Refusal } from "./refusal.js";
import { isConflict, refusalOf, useBudgetChange } from "./use-budget-write.js";

interface Props {
  /** extend: of a pending one. revise, renew: offers a declined or expired one again. */
  readonly action: "extend" | "revise" | "renew";
  readonly budget: Budget;
  readonly onClose: () => void;
}

const USUAL_DAYS = 15;

export function ValidityDialog({ action, budget, onClose }: Props) {
  const { budget: words, common } = useWords();
  const toast = useToast();
  const { timeZone } = useFormats();
  const today = dayIn(timeZone, Date.now());
  const [day, setDay] = useState(() => suggestedDay(action, budget, timeZone, today));
  const [isTried, setTried] = useState(false);
  const change = useBudgetChange({
    budgetId: budget.id,
    write: () =>
      api.budgets.update(
        budget.id,
        action === "extend" ? { validUntil: day } : { status: "PENDING", validUntil: day },
        { ifMatch: budget.version },
      ),
    onDone: () => {
      toast({ text: words.actions.done[action] });
      onClose();
    },
  });
  const { title, text, verb } = words.actions.validity[action];
  const isWrong = day === "" || day < today;
  const submit = () => {
    setTried(true);
    if (!isWrong) change.mutate(undefined);
  };
  if (isConflict(change.error)) return <ConflictDialog budget={budget} onClose={onClose} />;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" busy={change.isPending} onClick={submit}>
            {verb}
          </Button>
        </>
      }
    >
      <p className={styles.quiet}>{text}</p>
      <TextField
        type="date"
        label={words.actions.validity.label}
        value={day}
        min={today}
        onChange={setDay}
        error={isTried && isWrong ? words.actions.validity.needed : refusalOf(change.error, "validUntil")}
      />
      <Refusal error={change.error} fields={["validUntil"]} />
    </Dialog>
  );
}

/** The usual time from the end of the validity, or from today; an offer that is made again keeps a day still to come. */
function suggestedDay(action: Props["action"], { validUntil }: Budget, timeZone: string, today: string): string {
  const present = validUntil === null ? "" : dayIn(timeZone, Date.parse(validUntil));
  if (present <= today) return daysLater(today, USUAL_DAYS);
  return action === "extend" ? daysLater(present, USUAL_DAYS) : present;
}
