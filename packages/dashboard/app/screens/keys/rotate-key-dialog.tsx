import type { ApiKey } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { FormError } from "../../components/form-error.js";
import { SelectField } from "../../components/inputs.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { NewKey } from "./new-key.js";

/** Seconds that the old key still works. */
const GRACES = ["0", "3600", "86400", "604800"] as const;
type Grace = (typeof GRACES)[number];

interface Props {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Replaces the key under the same id. The new one is in the state of this dialog alone. */
export function RotateKeyDialog({ apiKey, onClose }: Props) {
  const words = useWords();
  const queryClient = useQueryClient();
  const [grace, setGrace] = useState<Grace>("86400");
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useMutation({
    mutationFn: async () => {
      const { key } = await api.keys.regenerate(apiKey.id, { gracePeriodSeconds: Number(grace) });
      setSecret(key);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["keys"] }),
  });
  if (secret !== null) return <NewKey title={words.keys.rotatedTitle} secret={secret} onClose={onClose} />;
  return (
    <Dialog
      title={words.keys.rotateTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
            {words.keys.rotate}
          </Button>
        </>
      }
    >
      <p>{words.keys.rotateText}</p>
      <SelectField
        label={words.keys.grace}
        hint={words.keys.graceHints[grace]}
        value={grace}
        options={GRACES.map((value) => ({ value, label: words.keys.graces[value] }))}
        onChange={setGrace}
      />
      <FormError error={rotate.error} />
    </Dialog>
  );
}
