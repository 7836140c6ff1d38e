import type { Delivery, DeliveryAttempt } from "@budgetkit/client";
import { CodeBlock } from "../../../components/code-block.js";
import { JsonCode } from "../../../components/json-code.js";
import { bodyText, jsonText } from "../../../components/json-tokens.js";
import { useFormats } from "../../../formats/use-formats.js";
import { useWords } from "../../../words/use-words.js";
import styles from "../deliveries.module.css";
import { useDuration } from "../use-duration.js";
import { requestOf } from "./delivery-request.js";

interface Props {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt | undefined; // undefined = none was made yet
}

/** What was sent, and what came back. */
export function AttemptDetails({ delivery, attempt }: Props) {
  const words = useWords().webhooks;
  const formats = useFormats();
  const durationOf = useDuration();
  const { headers, body } = requestOf(delivery, attempt?.startedAt ?? null);
  const bytes = (text: string) => words.bytes(formats.number(new TextEncoder().encode(text).length));
  const answer = attempt?.responseBody ?? null;
  return (
    <>
      <CodeBlock label={words.request} beside={`POST, ${bytes(body)}`} copied={body}>
        <span className={styles.headers}>{headers.map(([name, value]) => `${name}: ${value}`).join("\n")}</span>
        {"\n\n"}
        <JsonCode {...jsonText(delivery.payload)} />
      </CodeBlock>
      {attempt !== undefined && (
        <CodeBlock
          label={words.response}
          beside={[
            attempt.responseCode === null ? null : String(attempt.responseCode),
            attempt.durationMs === null ? null : durationOf(attempt.durationMs),
            answer === null ? null : bytes(answer),
          ]
            .filter((text) => text !== null)
            .join(", ")}
          copied={answer === null || answer === "" ? null : answer}
        >
          {attempt.error !== null && `${attempt.error}\n`}
          {answer === null ? (
            words.noAnswer
          ) : answer === "" ? (
            <span className={styles.headers}>{words.emptyBody}</span>
          ) : (
            <JsonCode {...bodyText(answer)} />
          )}
        </CodeBlock>
      )}
    </>
  );
}
