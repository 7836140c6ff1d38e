import type { ApiKey } from "@budgetkit/client";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { remainingError } from "../../components/field-errors.js";
import { FormError } from "../../components/form-error.js";
import { useToast } from "../../components/toast.js";
import { businessQuery } from "../../queries/business.js";
import { keyQuery } from "../../queries/keys.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { draftOf, problemsOf, settingsOf } from "./key-draft.js";
import { KEY_FIELDS, KeyForm } from "./key-form.js";
import { TIER_LIMITS } from "./tier-limits.js";

interface Props {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

export function EditKeyDialog({ apiKey, onClose }: Props) {
  const words = useWords();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const { data: business } = useSuspenseQuery(businessQuery);
  const [draft, setDraft] = useState(() => draftOf(apiKey));
  const [isChecked, setChecked] = useState(false);
  const save = useMutation({
    mutationFn: () => api.keys.update(apiKey.id, settingsOf(draft, Date.now(), apiKey)),
    onSuccess: (saved) => {
      queryClient.setQueryData(keyQuery(apiKey.id).queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: ["keys"] });
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
      title={words.keys.editTitle}
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
      <KeyForm
        draft={draft}
        onChange={setDraft}
        isChecked={isChecked}
        error={save.error}
        tierDefault={TIER_LIMITS[business.tier].ofNewKeys}
      />
      <FormError error={remainingError(save.error, KEY_FIELDS)} />
    </Dialog>
  );
}
