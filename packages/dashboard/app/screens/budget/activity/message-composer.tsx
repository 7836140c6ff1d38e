import type { Budget } from "@budgetkit/client";
import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import { Button } from "../../../components/button.js";
import { useToast } from "../../../components/toast.js";
import { modKey } from "../../../shell/mod-key.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { Refusal } from "../actions/refusal.js";
import { useBudgetWrite } from "../actions/use-budget-write.js";
import styles from "./activity.module.css";

const MAX_MESSAGE = 2_000;

/** Writes to the customer, who gets a mail with the link. The text stays until it is sent. */
export function MessageComposer({ budget }: { readonly budget: Budget }) {
  const words = useWords().budget.activity;
  const toast = useToast();
  const id = useId();
  const [message, setMessage] = useState("");
  const send = useBudgetWrite({
    budgetId: budget.id,
    write: () => api.budgets.sendMessage(budget.id, { message: message.trim() }),
    onDone: () => {
      setMessage("");
      toast({ text: words.sent });
    },
  });
  const isEmpty = message.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEmpty && !send.isPending) send.mutate(undefined);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
  };
  return (
    <form className={styles.composer} onSubmit={submit}>
      <label htmlFor={id} className="visually-hidden">
        {words.writeLabel}
      </label>
      <textarea
        id={id}
        rows={1}
        value={message}
        maxLength={MAX_MESSAGE}
        placeholder={words.write(budget.customer.name ?? "")}
        onChange={(event) => setMessage(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button
        type="submit"
        size="small"
        shortcut={`${modKey}↵`}
        aria-keyshortcuts="Meta+Enter Control+Enter"
        disabled={isEmpty}
        busy={send.isPending}
      >
        {words.send}
      </Button>
      <Refusal error={send.error} />
    </form>
  );
}
