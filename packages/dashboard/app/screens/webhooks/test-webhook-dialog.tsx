import type { EventType } from "@budgetkit/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { FormError } from "../../components/form-error.js";
import { SelectField } from "../../components/inputs.js";
import { deliveriesKey } from "../../queries/deliveries.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { EVENT_NAMES } from "../deliveries/delivery-search.js";
import { TestResult } from "./test-result.js";

interface Props {
  readonly webhookId: string;
  readonly onClose: () => void;
}

/** Calls the endpoint once with a signed test. It is listed among the deliveries. */
export function TestWebhookDialog({ webhookId, onClose }: Props) {
  const words = useWords();
  const queryClient = useQueryClient();
  const [event, setEvent] = useState<EventType>("budget.created");
  const test = useMutation({
    mutationFn: () => api.webhooks.test(webhookId, { event }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: deliveriesKey({ kind: "webhook", id: webhookId }) });
      void queryClient.invalidateQueries({ queryKey: ["webhooks", "webhook", webhookId] });
    },
  });
  return (
    <Dialog
      title={words.webhooks.sendTest}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.common.close}</Button>
          <Button kind="primary" icon={Zap} busy={test.isPending} onClick={() => test.mutate()}>
            {test.data === undefined ? words.webhooks.sendTest : words.webhooks.testAgain}
          </Button>
        </>
      }
    >
      <p>{words.webhooks.testText}</p>
      <SelectField
        label={words.webhooks.event}
        value={event}
        options={EVENT_NAMES.map((value) => ({ value, label: value }))}
        onChange={setEvent}
      />
      {test.data !== undefined && <TestResult result={test.data} />}
      <FormError error={test.error} />
    </Dialog>
  );
}
