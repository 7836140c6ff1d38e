import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Zap } from "lucide-react";
import { Button } from "../../components/button.js";
import { Dialog } from "../../components/dialog.js";
import { FormError } from "../../components/form-error.js";
import { ShownOnce } from "../../components/shown-once.js";
import { useToast } from "../../components/toast.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import { TestResult } from "./test-result.js";
import styles from "./webhooks.module.css";

interface Props {
  readonly webhookId: string;
  readonly url: string;
  readonly secret: string;
}

/** The secret of a new endpoint, a test call, and the switch that lets events go to it. */
export function TryWebhook({ webhookId, url, secret }: Props) {
  const words = useWords();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const showToast = useToast();
  const test = useMutation({ mutationFn: () => api.webhooks.test(webhookId) });
  const open = () => void navigate({ to: "/webhooks/$webhookId", params: { webhookId } });
  const turnOn = useMutation({
    mutationFn: () => api.webhooks.update(webhookId, { status: "ACTIVE" }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["webhooks"] });
      showToast({ text: words.webhooks.turnedOn });
      open();
    },
  });
  const isGood = test.data?.status === "delivered";
  return (
    <Dialog
      title={words.webhooks.tryTitle}
      width="wide"
      onClose={open}
      actions={
        <>
          <Button onClick={open}>{words.webhooks.later}</Button>
          <Button kind={isGood ? "primary" : "secondary"} busy={turnOn.isPending} onClick={() => turnOn.mutate()}>
            {isGood ? words.webhooks.turnOn : words.webhooks.turnOnAnyway}
          </Button>
        </>
      }
    >
      <ShownOnce label={words.webhooks.secret} secret={secret} warning={words.webhooks.secretOnce} />
      <div className={styles.try}>
        <p>
          {words.webhooks.tryText} <code>{url}</code>
        </p>
        <div>
          <Button
            icon={Zap}
            kind={isGood ? "secondary" : "primary"}
            busy={test.isPending}
            onClick={() => test.mutate()}
          >
            {test.data === undefined ? words.webhooks.sendTest : words.webhooks.testAgain}
          </Button>
        </div>
        {test.data !== undefined && <TestResult result={test.data} />}
        <FormError error={test.error ?? turnOn.error} />
      </div>
    </Dialog>
  );
}
