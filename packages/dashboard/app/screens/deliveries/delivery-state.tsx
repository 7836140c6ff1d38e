import type { DeliveryStatus } from "@budgetkit/client";
import { Ban, CircleCheck, CircleX, Clock, type LucideIcon, RotateCw } from "lucide-react";
import { useWords } from "../../words/use-words.js";
import styles from "./deliveries.module.css";

const LOOKS: Readonly<Record<DeliveryStatus, readonly [icon: LucideIcon, look: string | undefined]>> = {
  delivered: [CircleCheck, styles.good],
  failed: [CircleX, styles.bad],
  retrying: [RotateCw, styles.warn],
  pending: [Clock, styles.quiet],
  cancelled: [Ban, styles.quiet],
};

/** The state of a delivery: a word, a shape of its own and a colour. */
export function DeliveryState({ status }: { readonly status: DeliveryStatus }) {
  const words = useWords().webhooks;
  const [Icon, look] = LOOKS[status];
  return (
    <span className={`${styles.state} ${look}`}>
      <Icon size={15} strokeWidth={1.75} aria-hidden="true" />
      {words.deliveryStates[status]}
    </span>
  );
}
