import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { CopyButton } from "../../components/copy-button.js";
import { Checkbox } from "../../components/inputs.js";
import { saveFile } from "../../components/save-file.js";
import { useWords } from "../../words/use-words.js";
import styles from "./account.module.css";

interface Props {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** The recovery codes, which the service shows once: it goes on when the person has kept them. */
export function RecoveryCodeList({ codes, onDone }: Props) {
  const words = useWords().account;
  const [isKept, setKept] = useState(false);
  const text = `${codes.join("\n")}\n`;
  return (
    <div className={styles.form}>
      <p className={styles.warning} role="status">
        {words.recoveryWarning}
      </p>
      <ol className={styles.codes} aria-label={words.recoveryCodes}>
        {codes.map((code) => (
          <li key={code}>
            <code data-secret="">{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.line}>
        <CopyButton text={text} label={words.copyCodes} />
        <Button
          icon={Download}
          onClick={() => saveFile(new Blob([text], { type: "text/plain" }), "recovery-codes.txt")}
        >
          {words.downloadCodes}
        </Button>
      </div>
      <Checkbox label={words.kept} checked={isKept} onChange={setKept} />
      <Button kind="primary" disabled={!isKept} onClick={onDone}>
        {words.done}
      </Button>
    </div>
  );
}
