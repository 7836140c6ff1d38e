import type { Integration } from "@budgetkit/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { fieldErrorOf, remainingError } from "../../components/field-errors.js";
import { FormError } from "../../components/form-error.js";
import { Checkbox, SelectField, TextArea, TextField } from "../../components/inputs.js";
import { useToast } from "../../components/toast.js";
import { integrationsQuery } from "../../queries/integrations.js";
import { keysQuery } from "../../queries/keys.js";
import { webhooksQuery } from "../../queries/webhooks.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { webhookName } from "../webhooks/webhook-name.js";
import { configOf, draftOf, NEW_INTEGRATION, settingsOf } from "./integration-draft.js";
import styles from "./integrations.module.css";

const FIELDS = ["name", "description", "apiKeyId", "webhookIds", "config"];

interface Props {
  /** Null = a new one. */
  readonly integration: Integration | null;
  readonly onClose: () => void;
}

/** Which system it is, and which key and webhooks it uses. */
export function IntegrationDialog({ integration, onClose }: Props) {
  const words = useWords();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const { data: keys = [] } = useQuery(keysQuery);
  const { data: webhooks = [] } = useQuery(webhooksQuery);
  const [draft, setDraft] = useState(() => (integration === null ? NEW_INTEGRATION : draftOf(integration)));
  const [isChecked, setChecked] = useState(false);
  const save = useMutation({
    mutationFn: (settings: NonNullable<ReturnType<typeof settingsOf>>) =>
      integration === null ? api.integrations.create(settings) : api.integrations.update(integration.id, settings),
    onSuccess: () => {
      void queryClient.invalidateQueries(integrationsQuery);
      showToast({ text: integration === null ? words.integrations.created : words.common.saved });
      onClose();
    },
  });
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const submit = () => {
    setChecked(true);
    const settings = settingsOf(draft);
    if (settings !== null) save.mutate(settings);
  };
  const isConfigWrong = configOf(draft.config) === null;
  const gone = draft.webhookIds.filter((id) => !webhooks.some((webhook) => webhook.id === id));
  const others = draft.apiKeyId !== "" && !keys.some(({ id }) => id === draft.apiKeyId) ? [draft.apiKeyId] : [];
  const toggle = (id: string, isChosen: boolean) =>
    set({ webhookIds: isChosen ? [...draft.webhookIds, id] : draft.webhookIds.filter((each) => each !== id) });
  return (
    <Dialog
      title={integration === null ? words.integrations.createTitle : words.integrations.editTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" busy={save.isPending} onClick={submit}>
            {integration === null ? words.common.add : words.common.save}
          </Button>
        </>
      }
    >
      <TextField
        label={words.integrations.name}
        hint={words.integrations.nameHint}
        maxLength={200}
        autoFocus
        error={
          isChecked && draft.name.trim() === "" ? words.integrations.nameMissing : fieldErrorOf(save.error, "name")
        }
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <TextField
        label={words.integrations.description}
        maxLength={1000}
        error={fieldErrorOf(save.error, "description")}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <SelectField
        label={words.integrations.key}
        error={fieldErrorOf(save.error, "apiKeyId")}
        value={draft.apiKeyId}
        options={[
          { value: "", label: words.integrations.noKey },
          ...keys.map(({ id, name }) => ({ value: id, label: name })),
          ...others.map((id) => ({ value: id, label: words.integrations.goneKey(id) })),
        ]}
        onChange={(apiKeyId) => set({ apiKeyId })}
      />
      {webhooks.length + gone.length > 0 && (
        <fieldset className={styles.choices}>
          <legend>{words.integrations.webhooks}</legend>
          {webhooks.map((webhook) => (
            <Checkbox
              key={webhook.id}
              label={webhookName(webhook)}
              checked={draft.webhookIds.includes(webhook.id)}
              onChange={(isChosen) => toggle(webhook.id, isChosen)}
            />
          ))}
          {gone.map((id) => (
            <Checkbox
              key={id}
              label={words.integrations.goneWebhook(id)}
              checked
              onChange={(isChosen) => toggle(id, isChosen)}
            />
          ))}
        </fieldset>
      )}
      <TextArea
        label={words.integrations.config}
        hint={words.integrations.configHint}
        error={isConfigWrong ? words.integrations.configWrong : fieldErrorOf(save.error, "config")}
        rows={4}
        spellCheck={false}
        maxLength={16_384}
        value={draft.config}
        onChange={(config) => set({ config })}
      />
      <FormError error={remainingError(save.error, FIELDS)} />
    </Dialog>
  );
}
