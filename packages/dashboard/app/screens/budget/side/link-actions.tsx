import type { Budget } from "@budgetkit/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ExternalLink, MessageCircle, QrCode as QrIcon, RotateCw, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button, ButtonAnchor } from "../../../components/button.js";
import { CopyButton } from "../../../components/copy-button.js";
import { ConfirmDialog, Dialog } from "../../../components/dialog.js";
import { SkeletonRows } from "../../../components/skeleton.js";
import { useToast } from "../../../components/toast.js";
import { budgetLinkQuery } from "../../../queries/budget.js";
import { businessQuery } from "../../../queries/business.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { Refusal } from "../actions/refusal.js";
import { useBudgetWrite } from "../actions/use-budget-write.js";
import { messengerAddress } from "./messenger.js";
import styles from "./side.module.css";

const QrCode = lazy(async () => ({ default: (await import("./qr-code.js")).QrCode }));

interface Props {
  readonly budget: Budget;
  readonly url: string;
  readonly onRemoved: () => void;
}

export function LinkActions({ budget, url, onRemoved }: Props) {
  const { budget: all } = useWords();
  const words = all.side;
  const toast = useToast();
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<"qr" | "rotate" | "remove" | null>(null);
  const { data: business } = useQuery({ ...businessQuery, select: ({ name }) => name });
  const close = () => setDialog(null);
  const { queryKey } = budgetLinkQuery(budget.id);
  const rotate = useBudgetWrite({
    budgetId: budget.id,
    write: () => api.budgets.createPublicLink(budget.id, { rotate: true }),
    onDone: (link) => {
      queryClient.setQueryData(queryKey, link);
      toast({ text: words.rotated });
      close();
    },
  });
  const remove = useBudgetWrite({
    budgetId: budget.id,
    write: () => api.budgets.removePublicLink(budget.id),
    onDone: () => {
      onRemoved();
      queryClient.removeQueries({ queryKey, exact: true });
      toast({ text: words.removed });
    },
  });
  const text = all.messenger(business ?? "", budget.number ?? "", url);
  return (
    <>
      <div className={styles.url}>
        <span title={url}>{url.replace(/^https?:\/\//, "")}</span>
        <CopyButton text={url} />
      </div>
      <div className={styles.buttons}>
        <CopyButton text={text} label={words.copyMessenger} />
        <ButtonAnchor href={messengerAddress(text)} target="_blank" rel="noreferrer" icon={MessageCircle} size="small">
          {words.whatsApp}
        </ButtonAnchor>
        <Button icon={QrIcon} size="small" onClick={() => setDialog("qr")}>
          {words.qr}
        </Button>
        <ButtonAnchor href={url} target="_blank" rel="noreferrer" icon={ExternalLink} size="small">
          {words.open}
        </ButtonAnchor>
        <Button kind="quiet" icon={RotateCw} size="small" onClick={() => setDialog("rotate")}>
          {words.rotate}
        </Button>
        <Button kind="quiet" icon={Trash2} size="small" onClick={() => setDialog("remove")}>
          {words.remove}
        </Button>
      </div>
      {dialog === "qr" && (
        <Dialog title={words.qrTitle} onClose={close}>
          <Suspense fallback={<SkeletonRows rows={4} />}>
            <QrCode text={url} label={words.qrTitle} />
          </Suspense>
          <p className={styles.quiet}>{words.qrText}</p>
        </Dialog>
      )}
      {dialog === "rotate" && (
        <ConfirmDialog
          title={words.rotateTitle}
          text={
            <>
              <p>{words.rotateText}</p>
              <Refusal error={rotate.error} />
            </>
          }
          verb={words.rotate}
          busy={rotate.isPending}
          onConfirm={() => rotate.mutate(undefined)}
          onClose={close}
        />
      )}
      {dialog === "remove" && (
        <ConfirmDialog
          title={words.removeTitle}
          text={
            <>
              <p>{words.removeText}</p>
              <Refusal error={remove.error} />
            </>
          }
          verb={words.remove}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
          onClose={close}
        />
      )}
    </>
  );
}
