import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { TextField } from "../../components/inputs.js";
import { messageOf } from "../../components/notices.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import styles from "./login.module.css";
import { LoginFrame } from "./login-frame.js";

interface Props {
  readonly email: string;
  readonly onBack: () => void;
}

/** Asks for a link by mail. The answer is the same whether or not somebody has this address. */
export function ResetRequest({ email: first, onBack }: Props) {
  const words = useWords();
  const [email, setEmail] = useState(first);
  const request = useMutation({ mutationFn: () => api.auth.requestPasswordReset({ email }) });
  return (
    <LoginFrame title={words.session.resetTitle}>
      {request.isSuccess ? (
        <p role="status">{words.session.linkSent}</p>
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            request.mutate();
          }}
        >
          <p>{words.session.resetText}</p>
          <TextField
            label={words.session.email}
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={setEmail}
          />
          {request.error !== null && (
            <p role="alert" className={styles.failure}>
              {messageOf(request.error, words.common)}
            </p>
          )}
          <Button type="submit" kind="primary" busy={request.isPending}>
            {words.session.sendLink}
          </Button>
        </form>
      )}
      <button type="button" className={styles.link} onClick={onBack}>
        {words.session.backToSignIn}
      </button>
    </LoginFrame>
  );
}
