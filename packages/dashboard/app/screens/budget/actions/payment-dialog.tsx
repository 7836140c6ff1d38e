import type { Budget } from "@budgetkit/client";
import { type FormEvent, useId, useState } from "react";
import { Button } from "../../../components/button.js";
import { Dialog } from "../../../components/dialog.js";
import { SelectField, TextField } from "../../../components/inputs.js";
import { useToast } from "../../../components/toast.js";
import { decimalSignOfLocale, numberText, readNumber } from "../../../formats/read-number.js";
import { useFormats } from "../../../formats/use-formats.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { balanceOf } from "../figures.js";
import styles from "./actions.module.css";
import { dayIn } from "./calendar-day.js";
import { paymentErrors, referenceOf } from "./payment-input.js";
import { Refusal } from "./refusal.js";
import { refusalOf, useBudgetWrite } from "./use-budget-write.js";

interface Props {
  readonly budget: Budget;
  readonly onClose: () => void;
}

const METHODS = ["transfer", "cash", "card", "check", "other"] as const;

export function PaymentDialog({ budget, onClose }: Props) {
  const { budget: all, common } = useWords();
  const words = all.actions.payment;
  const toast = useToast();
  const formats = useFormats();
  const formId = useId();
  const open = balanceOf(budget);
  const due = budget.dueToConfirm ?? 0;
  const today = dayIn(formats.timeZone, Date.now());
  const decimal = decimalSignOfLocale(formats.locale);
  const textOf = (value: number) => numberText(value, decimal);
  const [typed, setTyped] = useState(textOf(due > 0 ? due : open));
  const amount = readNumber(typed, decimal);
  const [paidAt, setPaidAt] = useState(today);
  const [method, setMethod] = useState<(typeof METHODS)[number]>("transfer");
  const [number, setNumber] = useState("");
  const [isTried, setTried] = useState(false);
  const input = { amount, paidAt, method: method === "other" ? "" : words.methods[method], number };
  const errors = paymentErrors(input, open, today);
  const record = useBudgetWrite({
    budgetId: budget.id,
    write: () =>
      api.budgets.recordPayment(budget.id, {
        amount: amount ?? 0,
        reference: referenceOf(input),
        ...(paidAt === "" || paidAt === today ? {} : { paidAt }),
      }),
    onDone: (payment) => {
      toast({ text: all.actions.done.recordPayment(formats.moneyText(payment.amount, payment.currency)) });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (errors.amount === null && errors.paidAt === null && errors.reference === null) record.mutate(undefined);
  };
  const money = (value: number) => formats.moneyText(value, budget.currency);
  const amountError = { needed: words.amountNeeded, tooMuch: words.amountTooMuch(money(open)) };
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={record.isPending}>
            {words.verb}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        {budget.acceptance !== null && due > 0 && <p className={styles.quiet}>{words.waits(money(due))}</p>}
        <TextField
          label={words.amount(budget.currency)}
          inputMode="decimal"
          value={typed}
          onChange={setTyped}
          error={isTried && errors.amount !== null ? amountError[errors.amount] : refusalOf(record.error, "amount")}
        />
        <div className={styles.quick}>
          {due > 0 && due < open && (
            <Button size="small" onClick={() => setTyped(textOf(due))}>{`${words.deposit}: ${money(due)}`}</Button>
          )}
          <Button size="small" onClick={() => setTyped(textOf(open))}>{`${words.balance}: ${money(open)}`}</Button>
        </div>
        <div className={styles.pair}>
          <SelectField
            label={words.method}
            value={method}
            options={METHODS.map((value) => ({ value, label: words.methods[value] }))}
            onChange={setMethod}
          />
          <TextField
            type="date"
            label={words.paidAt}
            value={paidAt}
            max={today}
            onChange={setPaidAt}
            error={isTried && errors.paidAt !== null ? words.inTheFuture : refusalOf(record.error, "paidAt")}
          />
        </div>
        <TextField
          label={words.reference}
          value={number}
          maxLength={200}
          onChange={setNumber}
          hint={words.referenceHint}
          error={isTried && errors.reference !== null ? words.referenceNeeded : refusalOf(record.error, "reference")}
        />
        <Refusal error={record.error} fields={["amount", "paidAt", "reference"]} />
      </form>
    </Dialog>
  );
}
