import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { fieldErrorOf, remainingError } from "../../components/field-errors.js";
import { FormError } from "../../components/form-error.js";
import { TextField } from "../../components/inputs.js";
import { useToast } from "../../components/toast.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import styles from "./account.module.css";

export function PasswordForm() {
  const words = useWords();
  const toast = useToast();
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const change = useMutation({
    mutationFn: () => api.auth.changePassword({ currentPassword, newPassword }),
    onSuccess: () => {
      setCurrent("");
      setNew("");
      toast({ text: words.account.passwordSaved });
    },
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <TextField
        label={words.account.currentPassword}
        type="password"
        autoComplete="current-password"
        required
        value={currentPassword}
        onChange={setCurrent}
        error={fieldErrorOf(change.error, "currentPassword")}
      />
      <TextField
        label={words.session.newPassword}
        hint={words.session.passwordHint}
        type="password"
        autoComplete="new-password"
        required
        value={newPassword}
        onChange={setNew}
        error={fieldErrorOf(change.error, "newPassword")}
      />
      <FormError error={remainingError(change.error, ["currentPassword", "newPassword"])} />
      <Button type="submit" busy={change.isPending} disabled={currentPassword === "" || newPassword === ""}>
        {words.account.changePassword}
      </Button>
    </form>
  );
}
