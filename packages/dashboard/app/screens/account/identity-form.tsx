import type { OwnAccount } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { fieldErrorOf, remainingError } from "../../components/field-errors.js";
import { FormError } from "../../components/form-error.js";
import { TextField } from "../../components/inputs.js";
import { useToast } from "../../components/toast.js";
import { accountQuery } from "../../queries/account.js";
import { sessionQuery } from "../../session/session.js";
import { useMay } from "../../session/use-session.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import styles from "./account.module.css";

/** Name and email. The email takes the password; the name is an administrator's to change. */
export function IdentityForm({ account }: { readonly account: OwnAccount }) {
  const words = useWords();
  const mayRename = useMay()("administer");
  return (
    <div className={styles.form}>
      {mayRename ? (
        <NameForm account={account} />
      ) : (
        <TextField
          label={words.account.name}
          value={account.displayName ?? ""}
          hint={words.account.nameOfMember}
          onChange={() => {}}
          disabled
        />
      )}
      <EmailForm account={account} />
    </div>
  );
}

function NameForm({ account }: { readonly account: OwnAccount }) {
  const words = useWords();
  const toast = useToast();
  const saved = useSaved();
  const [name, setName] = useState(account.displayName ?? "");
  const rename = useMutation({
    mutationFn: () => api.users.update(account.id, { displayName: name.trim() }),
    onSuccess: async () => {
      await saved();
      toast({ text: words.account.nameSaved });
    },
  });
  const isChanged = name.trim() !== "" && name.trim() !== account.displayName;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate();
      }}
    >
      <TextField
        label={words.account.name}
        autoComplete="name"
        value={name}
        onChange={setName}
        error={fieldErrorOf(rename.error, "displayName")}
      />
      <FormError error={remainingError(rename.error, ["displayName"])} />
      {isChanged && (
        <Button type="submit" busy={rename.isPending}>
          {words.account.saveName}
        </Button>
      )}
    </form>
  );
}

function EmailForm({ account }: { readonly account: OwnAccount }) {
  const words = useWords();
  const toast = useToast();
  const saved = useSaved();
  const [email, setEmail] = useState(account.email ?? "");
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => api.auth.changeEmail({ email, password }),
    onSuccess: async () => {
      setPassword("");
      await saved();
      toast({ text: words.account.emailSaved(email) });
    },
  });
  const isChanged = email !== account.email;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <TextField
        label={words.account.email}
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={setEmail}
        error={fieldErrorOf(change.error, "email")}
      />
      {isChanged && (
        <>
          <TextField
            label={words.account.yourPassword}
            hint={words.account.passwordForEmail}
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={setPassword}
            error={fieldErrorOf(change.error, "password")}
          />
          <FormError error={remainingError(change.error, ["email", "password"])} />
          <Button type="submit" busy={change.isPending}>
            {words.account.changeEmail}
          </Button>
        </>
      )}
    </form>
  );
}

/** What shows the person is read again: the account, the list of people and the foot of the sidebar. */
function useSaved(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries(accountQuery),
      queryClient.invalidateQueries({ queryKey: ["users"] }),
      queryClient.invalidateQueries(sessionQuery),
    ]);
}
