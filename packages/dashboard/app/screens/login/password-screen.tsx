import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { TextField } from "../../components/inputs.js";
import { messageOf } from "../../components/notices.js";
import { api } from "../../start/api.js";
import { mount } from "../../start/mount.js";
import { useWords } from "../../words/use-words.js";
import styles from "./login.module.css";
import { LoginFrame } from "./login-frame.js";

/** Where the link of an invitation or of a reset leads: the person sets a password. */
export function PasswordScreen({ token }: { readonly token: string }) {
  const words = useWords();
  const [password, setPassword] = useState("");
  const set = useMutation({ mutationFn: () => api.auth.setPassword({ token, password }) });
  const toLogin = <a href={`${mount.base}/`}>{words.session.backToSignIn}</a>;
  if (token === "" || set.isSuccess) {
    return (
      <LoginFrame title={words.session.resetTitle}>
        <p role="status" className={set.isSuccess ? styles.note : styles.failure}>
          {set.isSuccess ? words.session.passwordSet : words.session.noToken}
        </p>
        {toLogin}
      </LoginFrame>
    );
  }
  return (
    <LoginFrame title={words.session.resetTitle}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate();
        }}
      >
        <TextField
          label={words.session.newPassword}
          hint={words.session.passwordHint}
          type="password"
          autoComplete="new-password"
          required
          autoFocus
          value={password}
          onChange={setPassword}
        />
        {set.error !== null && (
          <p role="alert" className={styles.failure}>
            {messageOf(set.error, words.common)}
          </p>
        )}
        <Button type="submit" kind="primary" busy={set.isPending}>
          {words.session.setPassword}
        </Button>
      </form>
      {toLogin}
    </LoginFrame>
  );
}
