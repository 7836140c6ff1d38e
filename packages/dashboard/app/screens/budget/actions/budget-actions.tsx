import type { Budget } from "@budgetkit/client";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { Button } from "../../../components/button.js";
import { Menu, type MenuAction } from "../../../components/menu.js";
import { useShortcut } from "../../../shell/use-shortcut.js";
import { useWords } from "../../../words/use-words.js";
import { SendDialog } from "../send-dialog.js";
import { ACTION_ICONS, ACTION_KEYS } from "./action-icons.js";
import { type ActionName, planActions, possibleActions } from "./action-plan.js";
import { ConfirmAction } from "./confirm-action.js";
import { ConflictDialog } from "./conflict-dialog.js";
import { PaymentDialog } from "./payment-dialog.js";
import { ReopenDialog } from "./reopen-dialog.js";
import { useQuickActions } from "./use-quick-actions.js";
import { ValidityDialog } from "./validity-dialog.js";

type Dialogs = ActionName | "conflict";

/** What the person may do with the budget now: the next step, two beside it, the others behind the menu. */
export function BudgetActions({ budget }: { readonly budget: Budget }) {
  const words = useWords().budget.actions;
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialogs | null>(null);
  const close = useCallback(() => setDialog(null), []);
  const quick = useQuickActions(budget, () => setDialog("conflict"));
  const { primary, secondary, menu } = planActions(budget);
  const possible = possibleActions(budget);

  const openPayment = useCallback(() => setDialog("recordPayment"), []);
  const openEditor = useCallback(
    () => void navigate({ to: "/budgets/$budgetId/edit", params: { budgetId: budget.id } }),
    [navigate, budget.id],
  );
  useShortcut("p", possible.has("recordPayment") ? openPayment : null);
  useShortcut("e", possible.has("edit") ? openEditor : null);

  const start = (name: ActionName) => {
    switch (name) {
      case "edit":
        return openEditor();
      case "submit":
      case "duplicate":
      case "delete":
      case "restore":
        return quick.run(name);
      default:
        return setDialog(name);
    }
  };
  const button = (name: ActionName, kind: "primary" | "secondary") => {
    const shortcut = ACTION_KEYS[name];
    return (
      <Button
        key={name}
        kind={kind}
        icon={ACTION_ICONS[name]}
        busy={quick.isBusy}
        onClick={() => start(name)}
        {...(shortcut === undefined ? {} : { shortcut, "aria-keyshortcuts": shortcut })}
      >
        {words.names[name]}
      </Button>
    );
  };
  const item = (name: ActionName): MenuAction => ({
    label: words.names[name],
    icon: ACTION_ICONS[name],
    danger: name === "delete",
    disabled: quick.isBusy,
    onSelect: () => start(name),
  });
  return (
    <>
      {secondary.map((name) => button(name, "secondary"))}
      <Menu groups={menu.map((group) => group.map(item))} />
      {primary !== null && button(primary, "primary")}
      {dialog !== null && <ActionDialog name={dialog} budget={budget} onClose={close} />}
    </>
  );
}

interface DialogProps {
  readonly name: Dialogs;
  readonly budget: Budget;
  readonly onClose: () => void;
}

function ActionDialog({ name, budget, onClose }: DialogProps) {
  switch (name) {
    case "conflict":
      return <ConflictDialog budget={budget} onClose={onClose} />;
    case "send":
      return <SendDialog budget={budget} onSent={onClose} onClose={onClose} />;
    case "recordPayment":
      return <PaymentDialog budget={budget} onClose={onClose} />;
    case "reopen":
      return <ReopenDialog budget={budget} onClose={onClose} />;
    case "extend":
    case "revise":
    case "renew":
      return <ValidityDialog action={name} budget={budget} onClose={onClose} />;
    case "withdraw":
    case "approve":
    case "reject":
    case "expire":
    case "complete":
    case "archive":
      return <ConfirmAction action={name} budget={budget} onClose={onClose} />;
    case "edit":
    case "submit":
    case "duplicate":
    case "delete":
    case "restore":
      return null;
  }
}
