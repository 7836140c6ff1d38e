import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { remainingError } from "../../components/field-errors.js";
import { FormError } from "../../components/form-error.js";
import { businessQuery } from "../../queries/business.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { newWebhook, problemsOf, settingsOf } from "./form/webhook-draft.js";
import { WEBHOOK_FIELDS, WebhookForm } from "./form/webhook-form.js";
import { TryWebhook } from "./try-webhook.js";

interface Made {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

/** Makes an endpoint that is off, so that it can be tried before events go to it. */
export function CreateWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const queryClient = useQueryClient();
  const { data: business } = useSuspenseQuery(businessQuery);
  const [draft, setDraft] = useState(() => newWebhook(business.currency ?? "USD"));
  const [isChecked, setChecked] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const create = useMutation({
    mutationFn: async () => {
      const { id, url, secret } = await api.webhooks.create({ ...settingsOf(draft), status: "DISABLED" });
      setMade({ id, url, secret });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["webhooks", "list"] }),
  });
  if (made !== null) return <TryWebhook webhookId={made.id} url={made.url} secret={made.secret} />;
  const submit = () => {
    setChecked(true);
    if (!Object.values(problemsOf(draft)).includes(true)) create.mutate();
  };
  return (
    <Dialog
      title={words.webhooks.createTitle}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" busy={create.isPending} onClick={submit}>
            {words.webhooks.create}
          </Button>
        </>
      }
    >
      <WebhookForm draft={draft} onChange={setDraft} isChecked={isChecked} error={create.error} />
      <FormError error={remainingError(create.error, WEBHOOK_FIELDS)} />
    </Dialog>
  );
}
