import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { FormError } from "../../components/form-error.js";
import { SelectField } from "../../components/inputs.js";
import { useToast } from "../../components/toast.js";
import { deliveriesKey, recoverDeliveries, type Subscriber } from "../../queries/deliveries.js";
import { useWords } from "../../words/use-words.js";

const HOUR_MS = 3_600_000;
/** Hours back. */
const SPANS = ["1", "24", "168", "720"] as const;
type Span = (typeof SPANS)[number];

interface Props {
  readonly subscriber: Subscriber;
  readonly onClose: () => void;
}

/** Sends again what failed or was cancelled since a time. */
export function SendFailedDialog({ subscriber, onClose }: Props) {
  const words = useWords();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const [span, setSpan] = useState<Span>("24");
  const send = useMutation({
    mutationFn: () => recoverDeliveries(subscriber, new Date(Date.now() - Number(span) * HOUR_MS).toISOString()),
    onSuccess: ({ restarted }) => {
      void queryClient.invalidateQueries({ queryKey: deliveriesKey(subscriber) });
      showToast({ text: words.webhooks.restarted(restarted) });
      onClose();
    },
  });
  return (
    <Dialog
      title={words.webhooks.sendFailed}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" busy={send.isPending} onClick={() => send.mutate()}>
            {words.webhooks.sendAgain}
          </Button>
        </>
      }
    >
      <p>{words.webhooks.sendFailedText}</p>
      <SelectField
        label={words.webhooks.madeSince}
        value={span}
        options={SPANS.map((value) => ({ value, label: words.webhooks.spans[value] }))}
        onChange={setSpan}
      />
      <FormError error={send.error} />
    </Dialog>
  );
}
