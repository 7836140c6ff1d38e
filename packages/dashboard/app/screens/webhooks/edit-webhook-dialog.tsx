import type { Webhook } from "@budgetkit/client";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { remainingError } from "../../components/field-errors.js";
import { FormError } from "../../components/form-error.js";
import { useToast } from "../../components/toast.js";
import { businessQuery } from "../../queries/business.js";
import { webhookQuery } from "../../queries/webhooks.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { draftOf, problemsOf, settingsOf } from "./form/webhook-draft.js";
import { WEBHOOK_FIELDS, WebhookForm } from "./form/webhook-form.js";

interface Props {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function EditWebhookDialog({ webhook, onClose }: Props) {
  const words = useWords();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const { data: business } = useSuspenseQuery(businessQuery);
  const [draft, setDraft] = useState(() => draftOf(webhook, business.currency ?? "USD"));
  const [isChecked, setChecked] = useState(false);
  const save = useMutation({
    mutationFn: () => api.webhooks.update(webhook.id, settingsOf(draft)),
    onSuccess: (saved) => {
      queryClient.setQueryData(webhookQuery(webhook.id).queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: ["webhooks", "list"] });
      showToast({ text: words.common.saved });
      onClose();
    },
  });
  const submit = () => {
    setChecked(true);
    if (!Object.values(problemsOf(draft)).includes(true)) save.mutate();
  };
  return (
    <Dialog
      title={words.webhooks.editTitle}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" busy={save.isPending} onClick={submit}>
            {words.common.save}
          </Button>
        </>
      }
    >
      <WebhookForm draft={draft} onChange={setDraft} isChecked={isChecked} error={save.error} />
      <FormError error={remainingError(save.error, WEBHOOK_FIELDS)} />
    </Dialog>
  );
}
