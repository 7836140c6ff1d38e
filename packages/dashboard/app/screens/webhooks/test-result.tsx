import type { WebhookTestResult } from "@budgetkit/client";
import { CircleCheck, CircleX } from "lucide-react";
import { useWords } from "../../words/use-words.js";
import { useDuration } from "../deliveries/use-duration.js";
import styles from "./webhooks.module.css";

/** How the receiver answered a test, and what that means. */
export function TestResult({ result }: { readonly result: WebhookTestResult }) {
  const words = useWords().webhooks;
  const durationOf = useDuration();
  const { status, response_code: code, response_time: time } = result;
  const isGood = status === "delivered";
  const Icon = isGood ? CircleCheck : CircleX;
  const answer = code === 0 ? words.noAnswer : words.answer(String(code));
  return (
    <p role="status" className={styles.result}>
      <Icon size={16} className={isGood ? styles.good : styles.bad} aria-hidden="true" />
      <span>
        <strong>{isGood ? words.testGood : words.testBad}</strong> {answer}, {durationOf(time)}.{" "}
        {!isGood && words.testAdvice}
      </span>
    </p>
  );
}
