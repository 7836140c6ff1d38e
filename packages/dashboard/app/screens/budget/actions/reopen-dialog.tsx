import type { Budget } from "@budgetkit/client";
import { useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { TextArea, TextField } from "../../../components/inputs.js";
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
  readonly budget: Budget;
  readonly onClose: () => void;
}

const USUAL_DAYS = 15;

/** APPROVED back to PENDING: needs a reason, and another date where the former one is over. */
export function ReopenDialog({ budget, onClose }: Props) {
  const { budget: words, common } = useWords();
  const toast = useToast();
  const { timeZone } = useFormats();
  const today = dayIn(timeZone, Date.now());
  const isOver = budget.validUntil !== null && Date.parse(budget.validUntil) <= Date.now();
  const [reason, setReason] = useState("");
  const [day, setDay] = useState(isOver ? daysLater(today, USUAL_DAYS) : "");
  const [isTried, setTried] = useState(false);
  const reopen = useBudgetChange({
    budgetId: budget.id,
    write: () =>
      api.budgets.reopen(
        budget.id,
        { reason: reason.trim(), ...(day === "" ? {} : { validUntil: day }) },
        { ifMatch: budget.version },
      ),
    onDone: () => {
      toast({ text: words.actions.done.reopen });
      onClose();
    },
  });
  const { title, text, verb, reason: reasonLabel, reasonNeeded, passed } = words.actions.reopening;
  const isMissing = reason.trim() === "";
  const submit = () => {
    setTried(true);
    if (!isMissing) reopen.mutate(undefined);
  };
  if (isConflict(reopen.error)) return <ConflictDialog budget={budget} onClose={onClose} />;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" busy={reopen.isPending} onClick={submit}>
            {verb}
          </Button>
        </>
      }
    >
      <p className={styles.quiet}>{text}</p>
      <TextArea
        label={reasonLabel}
        value={reason}
        maxLength={500}
        onChange={setReason}
        error={isTried && isMissing ? reasonNeeded : refusalOf(reopen.error, "reason")}
      />
      <TextField
        type="date"
        label={words.actions.validity.label}
        value={day}
        min={today}
        onChange={setDay}
        error={refusalOf(reopen.error, "validUntil")}
        {...(isOver ? { hint: passed } : {})}
      />
      <Refusal error={reopen.error} fields={["reason", "validUntil"]} />
    </Dialog>
  );
}
