import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { fieldErrorOf, remainingError } from "../../components/field-errors.js";
import { FormError } from "../../components/form-error.js";
import { TextField } from "../../components/inputs.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import styles from "./account.module.css";

interface Props {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function DisableFactorDialog({ onDone, onClose }: Props) {
  const words = useWords();
  const formId = useId();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const disable = useMutation({ mutationFn: () => api.auth.disableTotp({ password, code }), onSuccess: onDone });
  return (
    <Dialog
      title={words.account.turnOffTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="destroy" type="submit" form={formId} busy={disable.isPending}>
            {words.account.turnOff}
          </Button>
        </>
      }
    >
      <p>{words.account.turnOffText}</p>
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          disable.mutate();
        }}
      >
        <TextField
          label={words.account.yourPassword}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
          error={fieldErrorOf(disable.error, "password")}
        />
        <TextField
          label={words.account.codeOrRecovery}
          autoComplete="one-time-code"
          required
          value={code}
          onChange={setCode}
          error={fieldErrorOf(disable.error, "code")}
        />
        <FormError error={remainingError(disable.error, ["password", "code"])} />
      </form>
    </Dialog>
  );
}
