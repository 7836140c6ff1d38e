import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { remainingError } from "../../components/field-errors.js";
import { FormError } from "../../components/form-error.js";
import { businessQuery } from "../../queries/business.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { NEW_KEY, problemsOf, settingsOf } from "./key-draft.js";
import { KEY_FIELDS, KeyForm } from "./key-form.js";
import { NewKey } from "./new-key.js";
import { TIER_LIMITS } from "./tier-limits.js";

interface Made {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

/** Makes a key, and shows it once. The key is in the state of this dialog alone. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: business } = useSuspenseQuery(businessQuery);
  const [draft, setDraft] = useState(NEW_KEY);
  const [isChecked, setChecked] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const create = useMutation({
    mutationFn: async () => {
      const { id, name, key } = await api.keys.create(settingsOf(draft, Date.now()));
      setMade({ id, name, secret: key });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["keys", "list"] }),
  });
  if (made !== null) {
    const open = () => void navigate({ to: "/keys/$keyId", params: { keyId: made.id } });
    return <NewKey title={words.keys.createdTitle(made.name)} secret={made.secret} onClose={open} />;
  }
  const submit = () => {
    setChecked(true);
    if (!Object.values(problemsOf(draft)).includes(true)) create.mutate();
  };
  return (
    <Dialog
      title={words.keys.createTitle}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" busy={create.isPending} onClick={submit}>
            {words.keys.create}
          </Button>
        </>
      }
    >
      <KeyForm
        draft={draft}
        onChange={setDraft}
        isChecked={isChecked}
        error={create.error}
        tierDefault={TIER_LIMITS[business.tier].ofNewKeys}
      />
      <FormError error={remainingError(create.error, KEY_FIELDS)} />
    </Dialog>
  );
}
