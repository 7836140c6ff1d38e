import { useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { TextField } from "../../../components/inputs.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../budgets.module.css";

interface Props {
  readonly count: number;
  readonly isBusy: boolean;
  readonly onExtend: (day: string) => void;
  readonly onClose: () => void;
}

const DAY_MS = 86_400_000;
const CHOICES_DAYS = [7, 14, 30] as const;

/** Until when the selected offers shall hold. */
export function ExtendDialog({ count, isBusy, onExtend, onClose }: Props) {
  const words = useWords();
  const texts = words.budgets.bulk;
  const { timeZone } = useFormats();
  const dayIn = (days: number) => new Intl.DateTimeFormat("en-CA", { timeZone }).format(Date.now() + days * DAY_MS); // as 2026-12-24
  const [day, setDay] = useState(() => dayIn(14));
  const isPast = day !== "" && day < dayIn(0);
  return (
    <Dialog title={texts.extendTitle(count)} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (day !== "" && !isPast) onExtend(day);
        }}
      >
        <div className={styles.choices}>
          {CHOICES_DAYS.map((days) => (
            <Button key={days} size="small" aria-pressed={day === dayIn(days)} onClick={() => setDay(dayIn(days))}>
              {texts.inDays(days)}
            </Button>
          ))}
        </div>
        <TextField
          label={texts.validUntil}
          type="date"
          value={day}
          min={dayIn(0)}
          required
          error={isPast ? texts.inThePast : null}
          hint={texts.extendHint}
          onChange={setDay}
        />
        <div className={styles.formActions}>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" busy={isBusy} disabled={day === "" || isPast}>
            {texts.extendVerb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
