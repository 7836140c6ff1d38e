import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../../components/button.js";
import { TextField } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../business.module.css";
import type { BusinessForm } from "./use-business-form.js";

const MAX_DAYS = 60;
const MAX_REMINDERS = 5;

/** The days before the end of the validity on which a customer is reminded. */
export function ReminderDays({ form }: { readonly form: BusinessForm }) {
  const words = useWords();
  const [typed, setTyped] = useState("");
  const [isFaulty, setFaulty] = useState(false);
  const { reminderDays: days } = form.profile;
  const put = (next: readonly number[]) =>
    form.set(
      "reminderDays",
      [...new Set(next)].sort((one, other) => other - one),
    );
  const add = () => {
    const day = /^\d{1,2}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
    const isDay = day <= MAX_DAYS;
    setFaulty(!isDay);
    if (!isDay) return;
    put([...days, day]);
    setTyped("");
  };
  return (
    <>
      <div className={styles.chips}>
        {days.length === 0 && <span className={styles.note}>{words.business.noReminders}</span>}
        {days.map((day) => (
          <span key={day} className={styles.chip}>
            {words.business.days(day)}
            {!form.isReadOnly && (
              <IconButton
                icon={X}
                size="small"
                label={words.business.removeDay(words.business.days(day))}
                onClick={() => put(days.filter((other) => other !== day))}
              />
            )}
          </span>
        ))}
      </div>
      {!form.isReadOnly && days.length < MAX_REMINDERS && (
        <form
          className={styles.chips}
          onSubmit={(event) => {
            event.preventDefault();
            add();
          }}
        >
          <span className={styles.days}>
            <TextField
              label={words.business.daysBefore}
              hideLabel
              inputMode="numeric"
              placeholder={words.business.daysBefore}
              value={typed}
              onChange={setTyped}
              error={form.errorOf("reminderDays") ?? (isFaulty ? words.business.dayFault : null)}
            />
          </span>
          <Button kind="quiet" type="submit" icon={Plus} disabled={typed.trim() === ""}>
            {words.common.add}
          </Button>
        </form>
      )}
    </>
  );
}
