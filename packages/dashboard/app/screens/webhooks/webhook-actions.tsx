import type { Webhook } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { History, KeyRound, Power, PowerOff, Trash2, Zap } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { ConfirmDialog, Dialog } from "../../components/dialog.js";
import { Menu } from "../../components/menu.js";
import { messageOf } from "../../components/notices.js";
import { useToast } from "../../components/toast.js";
import { webhookQuery } from "../../queries/webhooks.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { SecretSection } from "../deliveries/secret-section.js";
import { EditWebhookDialog } from "./edit-webhook-dialog.js";
import { ReplayDialog } from "./replay-dialog.js";
import { TestWebhookDialog } from "./test-webhook-dialog.js";
import { webhookName } from "./webhook-name.js";

type Open = "edit" | "test" | "replay" | "secret" | "delete" | null;

/** What an administrator may do with an endpoint. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const words = useWords();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const showToast = useToast();
  const [open, setOpen] = useState<Open>(null);
  const onError = (error: Error) => showToast({ text: messageOf(error, words.common), isError: true });
  const toggle = useMutation({
    mutationFn: (status: Webhook["status"]) => api.webhooks.update(webhook.id, { status }),
    onError,
    onSuccess: (saved) => {
      queryClient.setQueryData(webhookQuery(webhook.id).queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: ["webhooks"] });
      showToast({ text: saved.status === "ACTIVE" ? words.webhooks.turnedOn : words.webhooks.turnedOff });
    },
  });
  const remove = useMutation({
    mutationFn: () => api.webhooks.delete(webhook.id),
    onError,
    onSuccess: async () => {
      await navigate({ to: "/webhooks" });
      queryClient.removeQueries({ queryKey: webhookQuery(webhook.id).queryKey });
      void queryClient.invalidateQueries({ queryKey: ["webhooks", "list"] });
      showToast({ text: words.webhooks.deleted });
    },
  });
  const close = () => setOpen(null);
  const isActive = webhook.status === "ACTIVE";
  const power = isActive
    ? { label: words.webhooks.turnOff, icon: PowerOff, onSelect: () => toggle.mutate("DISABLED") }
    : { label: words.webhooks.turnOn, icon: Power, onSelect: () => toggle.mutate("ACTIVE") };
  return (
    <>
      <Button icon={Zap} onClick={() => setOpen("test")}>
        {words.webhooks.sendTest}
      </Button>
      {isActive && (
        <Button icon={History} onClick={() => setOpen("replay")}>
          {words.webhooks.replayEllipsis}
        </Button>
      )}
      <Menu
        groups={[
          [power, { label: words.webhooks.secretEllipsis, icon: KeyRound, onSelect: () => setOpen("secret") }],
          [{ label: words.webhooks.deleteEllipsis, icon: Trash2, danger: true, onSelect: () => setOpen("delete") }],
        ]}
      />
      <Button kind="primary" onClick={() => setOpen("edit")}>
        {words.common.edit}
      </Button>
      {open === "edit" && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {open === "test" && <TestWebhookDialog webhookId={webhook.id} onClose={close} />}
      {open === "replay" && <ReplayDialog webhook={webhook} onClose={close} />}
      {open === "secret" && (
        <Dialog title={words.webhooks.secret} onClose={close}>
          <SecretSection subscriber={{ kind: "webhook", id: webhook.id }} />
        </Dialog>
      )}
      {open === "delete" && (
        <ConfirmDialog
          title={words.webhooks.deleteTitle(webhookName(webhook))}
          text={words.webhooks.deleteText}
          verb={words.common.delete}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </>
  );
}
