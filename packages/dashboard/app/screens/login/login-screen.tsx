import { BudgetkitError } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { TextField } from "../../components/inputs.js";
import { messageOf } from "../../components/notices.js";
import { type Credentials, logIn, sessionQuery } from "../../session/session.js";
import { sessionChanged } from "../../session/session-channel.js";
import { useWords } from "../../words/use-words.js";
import styles from "./login.module.css";
import { LoginFrame } from "./login-frame.js";
import { ResetRequest } from "./reset-request.js";

type Factor = "none" | "code" | "recovery";

/** Email and password, then the second factor where there is one. */
export function LoginScreen() {
  const words = useWords();
  const queryClient = useQueryClient();
  const [isResetting, setResetting] = useState(false);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [factor, setFactor] = useState<Factor>("none");
  const [code, setCode] = useState("");
  const login = useMutation({
    gcTime: 0, // keeps no password once the form is gone
    mutationFn: (credentials: Credentials) => logIn(credentials),
    onSuccess: (session) => {
      queryClient.setQueryData(sessionQuery.queryKey, session);
      sessionChanged();
    },
    onError: (error) => {
      if (needsFactor(error) && factor === "none") setFactor("code");
    },
  });
  if (isResetting) return <ResetRequest email={email} onBack={() => setResetting(false)} />;
  const factorFields = factor === "none" ? {} : factor === "code" ? { totp: code } : { recoveryCode: code };
  const failure = login.error !== null && !(needsFactor(login.error) && code === "") ? login.error : null;
  const refusalOf = (error: Error): string => {
    if (!isRefused(error)) return messageOf(error, words.common);
    return factor === "none" ? words.session.refused : words.session.codeRefused;
  };
  return (
    <LoginFrame title={words.session.title}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          login.mutate({ email, password, ...factorFields });
        }}
      >
        <TextField
          label={words.session.email}
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={setEmail}
        />
        <TextField
          label={words.session.password}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        {factor !== "none" && (
          <>
            <TextField
              key={factor}
              label={factor === "code" ? words.session.code : words.session.recoveryCode}
              autoComplete="one-time-code"
              inputMode={factor === "code" ? "numeric" : "text"}
              required
              autoFocus
              value={code}
              onChange={setCode}
            />
            <button
              type="button"
              className={styles.link}
              onClick={() => {
                setCode("");
                setFactor(factor === "code" ? "recovery" : "code");
              }}
            >
              {factor === "code" ? words.session.useRecoveryCode : words.session.useCode}
            </button>
          </>
        )}
        {failure !== null && (
          <p role="alert" className={styles.failure}>
            {refusalOf(failure)}
          </p>
        )}
        <Button type="submit" kind="primary" busy={login.isPending}>
          {words.session.signIn}
        </Button>
      </form>
      <button type="button" className={styles.link} onClick={() => setResetting(true)}>
        {words.session.forgot}
      </button>
    </LoginFrame>
  );
}

function needsFactor(error: Error): boolean {
  return error instanceof BudgetkitError && error.code === "SECOND_FACTOR_NEEDED";
}

/** The service does not say which of them is wrong. */
function isRefused(error: Error): boolean {
  return error instanceof BudgetkitError && error.status === 401;
}
