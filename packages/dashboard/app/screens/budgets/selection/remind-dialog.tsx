import { useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { TextArea } from "../../../components/inputs.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../budgets.module.css";

interface Props {
  readonly count: number;
  readonly isBusy: boolean;
  /** Null = no text of one's own. */
  readonly onRemind: (message: string | null) => void;
  readonly onClose: () => void;
}

/** Mails go to customers at once, so it asks before, and takes a text that stands above the button. */
export function RemindDialog({ count, isBusy, onRemind, onClose }: Props) {
  const words = useWords();
  const texts = words.budgets.bulk;
  const [message, setMessage] = useState("");
  return (
    <Dialog
      title={texts.remindTitle(count)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" busy={isBusy} onClick={() => onRemind(message.trim() === "" ? null : message.trim())}>
            {texts.remindVerb}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <p>{texts.remindText}</p>
        <TextArea
          label={`${texts.message} (${words.common.optional})`}
          value={message}
          maxLength={2000}
          onChange={setMessage}
        />
      </div>
    </Dialog>
  );
}
