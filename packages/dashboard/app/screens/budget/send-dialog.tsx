import { type Budget, BudgetkitError, type Mail } from "@budgetkit/client";
import { type FormEvent, useId, useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { SelectField, TextArea, TextField } from "../../components/inputs.js";
import { useToast } from "../../components/toast.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import styles from "./actions/actions.module.css";
import { ConflictDialog } from "./actions/conflict-dialog.js";
import { Refusal } from "./actions/refusal.js";
import { isConflict, refusalOf, useBudgetChange, useBudgetWrite } from "./actions/use-budget-write.js";
import { MAIL_LANGUAGES, type MailLanguage, nativeName } from "./mail-languages.js";
import { MailPreview } from "./mail-preview.js";

interface Props {
  readonly budget: Budget;
  readonly onSent: () => void;
  readonly onClose: () => void;
  /** A mail that is sent again. */
  readonly former?: Pick<Mail, "to" | "message" | "lang">;
}

/** Sends the budget by mail: to whom, with which words, in which language. A draft becomes an offer by it. */
export function SendDialog({ budget, onSent, onClose, former }: Props) {
  const { budget: all, common } = useWords();
  const words = all.actions.send;
  const toast = useToast();
  const formId = useId();
  const [to, setTo] = useState(former?.to ?? budget.customer.email ?? "");
  const [message, setMessage] = useState(former?.message ?? "");
  const [lang, setLang] = useState<MailLanguage | "">(former?.lang ?? "");
  const [isTried, setTried] = useState(false);
  const send = useBudgetWrite({
    budgetId: budget.id,
    write: () =>
      api.budgets.send(
        budget.id,
        {
          to: to.trim(),
          ...(message.trim() === "" ? {} : { message: message.trim() }),
          ...(lang === "" ? {} : { lang }),
        },
        { ifMatch: budget.version },
      ),
    onDone: (mail) => {
      const lost = mail.undrawable === undefined ? "" : ` ${words.undrawable(mail.undrawable.join(" "))}`;
      toast({ text: `${words.sent(mail.to)}${lost}`, isError: lost !== "" });
      onSent();
    },
  });
  const submitWithoutMail = useBudgetChange({
    budgetId: budget.id,
    write: () => api.budgets.submit(budget.id, { ifMatch: budget.version }),
    onDone: () => {
      toast({ text: all.actions.done.submit });
      onSent();
    },
  });
  const isAddress = /^\S+@\S+\.\S+$/.test(to.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isAddress) send.mutate(undefined);
  };
  if (isConflict(send.error) || isConflict(submitWithoutMail.error))
    return <ConflictDialog budget={budget} onClose={onClose} />;
  const isWithoutMailer = send.error instanceof BudgetkitError && send.error.code === "NOT_IMPLEMENTED";
  const mustSubmit = isWithoutMailer && budget.status === "DRAFT";
  return (
    <Dialog
      title={former === undefined ? words.title : words.titleAgain}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          {mustSubmit ? (
            <Button
              kind="primary"
              busy={submitWithoutMail.isPending}
              onClick={() => submitWithoutMail.mutate(undefined)}
            >
              {all.actions.names.submit}
            </Button>
          ) : (
            <Button kind="primary" type="submit" form={formId} busy={send.isPending}>
              {words.verb}
            </Button>
          )}
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        {budget.status === "DRAFT" && <p className={styles.quiet}>{words.becomesPending}</p>}
        <div className={styles.pair}>
          <TextField
            type="email"
            label={words.to}
            value={to}
            autoComplete="off"
            onChange={setTo}
            error={isTried && !isAddress ? words.toNeeded : refusalOf(send.error, "to")}
          />
          <SelectField
            label={words.language}
            value={lang}
            options={[
              { value: "" as const, label: words.languageOfBusiness },
              ...MAIL_LANGUAGES.map((value) => ({ value, label: nativeName(value) })),
            ]}
            onChange={setLang}
          />
        </div>
        <TextArea
          label={`${words.message} (${common.optional})`}
          value={message}
          maxLength={5_000}
          onChange={setMessage}
          hint={words.messageHint}
          error={refusalOf(send.error, "message")}
        />
        {isWithoutMailer ? (
          <p role="alert">{mustSubmit ? words.noMailerForDraft : words.noMailer}</p>
        ) : (
          <Refusal error={send.error} fields={["to", "message"]} />
        )}
        <Refusal error={submitWithoutMail.error} fields={[]} />
      </form>
      <MailPreview budget={budget} message={message} language={lang} />
    </Dialog>
  );
}
