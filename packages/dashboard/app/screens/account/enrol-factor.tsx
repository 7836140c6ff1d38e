import "../../components/mono.css";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Button } from "../../components/button.js";
import { CopyButton } from "../../components/copy-button.js";
import { fieldErrorOf, remainingError } from "../../components/field-errors.js";
import { FormError } from "../../components/form-error.js";
import { TextField } from "../../components/inputs.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import styles from "./account.module.css";
import { RecoveryCodeList } from "./recovery-code-list.js";

const QrCode = lazy(() => import("./qr-code.js").then((module) => ({ default: module.QrCode })));

type TotpSecret = Awaited<ReturnType<typeof api.auth.enrolTotp>>;

interface Props {
  readonly onDone: () => void;
  /** Absent = it cannot be left. */
  readonly onCancel?: () => void;
}

/** Password, then the secret and a code of it, then the recovery codes, which are shown once. */
export function EnrolFactor({ onDone, onCancel }: Props) {
  const [secret, setSecret] = useState<TotpSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodeList codes={codes} onDone={onDone} />;
  return secret === null ? (
    <PasswordStep onSecret={setSecret} onCancel={onCancel} />
  ) : (
    <CodeStep secret={secret} onCodes={setCodes} onCancel={onCancel} />
  );
}

type Cancel = (() => void) | undefined;

function PasswordStep({ onSecret, onCancel }: { onSecret: (secret: TotpSecret) => void; onCancel: Cancel }) {
  const words = useWords().account;
  const [password, setPassword] = useState("");
  const enrol = useMutation({ mutationFn: () => api.auth.enrolTotp({ password }), onSuccess: onSecret });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        enrol.mutate();
      }}
    >
      <TextField
        label={words.yourPassword}
        hint={words.passwordForFactor}
        type="password"
        autoComplete="current-password"
        required
        autoFocus
        value={password}
        onChange={setPassword}
        error={fieldErrorOf(enrol.error, "password")}
      />
      <FormError error={remainingError(enrol.error, ["password"])} />
      <Buttons verb={words.next} isBusy={enrol.isPending} onCancel={onCancel} />
    </form>
  );
}

interface CodeProps {
  readonly secret: TotpSecret;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onCancel: Cancel;
}

function CodeStep({ secret, onCodes, onCancel }: CodeProps) {
  const words = useWords().account;
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationFn: () => api.auth.confirmTotp({ code: code.replace(/\s/g, "") }),
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <p>{words.scan}</p>
      <Suspense fallback={<div className={styles.code} />}>
        <QrCode text={secret.url} label={words.qrLabel} />
      </Suspense>
      <p className={styles.note}>{words.typeKey}</p>
      <div className={styles.line}>
        <code className={styles.secret} data-secret="">
          {secret.secret}
        </code>
        <CopyButton text={secret.secret} />
      </div>
      <TextField
        label={words.code}
        hint={words.codeHint}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        autoFocus
        value={code}
        onChange={setCode}
        error={fieldErrorOf(confirm.error, "code")}
      />
      <FormError error={remainingError(confirm.error, ["code"])} />
      <Buttons verb={words.turnOn} isBusy={confirm.isPending} onCancel={onCancel} />
    </form>
  );
}

function Buttons({ verb, isBusy, onCancel }: { verb: string; isBusy: boolean; onCancel: Cancel }) {
  const words = useWords().common;
  return (
    <div className={styles.line}>
      <Button type="submit" kind="primary" busy={isBusy}>
        {verb}
      </Button>
      {onCancel !== undefined && (
        <Button kind="quiet" onClick={onCancel}>
          {words.cancel}
        </Button>
      )}
    </div>
  );
}
