import type { Delivery, DeliveryAttempt } from "@budgetkit/client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../components/button.js";
import { CodeBlock } from "../../../components/code-block.js";
import { FormError } from "../../../components/form-error.js";
import type { Subscriber } from "../../../queries/deliveries.js";
import { useMay } from "../../../session/use-session.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../deliveries.module.css";
import { readSecret } from "../webhook-secret.js";
import { requestOf, type Signatures, secondsOf } from "./delivery-request.js";
import { signaturesOf } from "./sign-request.js";

interface Props {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt | undefined;
  readonly subscriber: Subscriber;
}

/** How the delivery is signed, and with which result: to compare with what a receiver computes. */
export function DeliverySignature({ delivery, attempt, subscriber }: Props) {
  const words = useWords().webhooks;
  const may = useMay();
  const [signatures, setSignatures] = useState<Signatures | null>(null);
  const startedAt = attempt?.startedAt ?? null;
  const { body, headers } = requestOf(delivery, startedAt, signatures ?? undefined);
  const compute = useMutation({
    mutationFn: async () => {
      if (startedAt === null) return;
      const secret = await readSecret(subscriber);
      setSignatures(await signaturesOf(secret, { id: delivery.id, seconds: secondsOf(startedAt), body }));
    },
  });
  const lines = headers.filter(([name]) => name !== "content-type").map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <p className={styles.note}>{words.signatureText}</p>
      <CodeBlock label={words.signedText} copied={null}>
        {`${delivery.id}.${startedAt === null ? "…" : secondsOf(startedAt)}.${words.rawBody}`}
      </CodeBlock>
      <CodeBlock label={words.headers} copied={signatures === null ? null : lines.join("\n")}>
        {lines.join("\n")}
      </CodeBlock>
      <FormError error={compute.error} />
      {may("administer") && startedAt !== null && signatures === null && (
        <div>
          <Button busy={compute.isPending} onClick={() => compute.mutate()}>
            {words.computeSignature}
          </Button>
          <p className={styles.note}>{words.secretNote}</p>
        </div>
      )}
    </>
  );
}
