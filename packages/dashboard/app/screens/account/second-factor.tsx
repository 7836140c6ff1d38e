import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { StatusChip } from "../../components/chip.js";
import { useToast } from "../../components/toast.js";
import { accountQuery } from "../../queries/account.js";
import { useWords } from "../../words/use-words.js";
import styles from "./account.module.css";
import { DisableFactorDialog } from "./disable-factor-dialog.js";
import { EnrolFactor } from "./enrol-factor.js";

/** The second factor of the own login: turned on step by step, turned off by password and code. */
export function SecondFactor({ isOn }: { readonly isOn: boolean }) {
  const words = useWords().account;
  const toast = useToast();
  const queryClient = useQueryClient();
  const [isEnrolling, setEnrolling] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const changed = async (text: string) => {
    setEnrolling(false);
    setRemoving(false);
    toast({ text });
    await queryClient.invalidateQueries(accountQuery);
    await queryClient.invalidateQueries({ queryKey: ["users"] });
  };
  if (isEnrolling)
    return <EnrolFactor onDone={() => void changed(words.factorIsOn)} onCancel={() => setEnrolling(false)} />;
  return (
    <div className={styles.line}>
      <StatusChip tone={isOn ? "good" : "warn"}>{isOn ? words.on : words.off}</StatusChip>
      {isOn ? (
        <Button kind="danger" onClick={() => setRemoving(true)}>
          {words.turnOff}
        </Button>
      ) : (
        <Button onClick={() => setEnrolling(true)}>{words.turnOn}</Button>
      )}
      {isRemoving && (
        <DisableFactorDialog onDone={() => void changed(words.factorIsOff)} onClose={() => setRemoving(false)} />
      )}
    </div>
  );
}
