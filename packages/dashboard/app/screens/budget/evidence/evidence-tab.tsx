import type { Budget } from "@budgetkit/client";
import { useQuery } from "@tanstack/react-query";
import { Download, ShieldCheck } from "lucide-react";
import { Button } from "../../../components/button.js";
import { EmptyState, ErrorPanel } from "../../../components/notices.js";
import { Section } from "../../../components/page.js";
import { SkeletonRows } from "../../../components/skeleton.js";
import { budgetEvidenceQuery } from "../../../queries/budget.js";
import { useSession } from "../../../session/use-session.js";
import { useWords } from "../../../words/use-words.js";
import { saveFile } from "../save-file.js";
import styles from "./evidence.module.css";
import { isAccepted, Outcome, outcomeOf } from "./outcome.js";
import { SignedFacts } from "./signed-facts.js";

/** Who accepted what, when and how, as the service signed it; checked in this browser. */
export function EvidenceTab({ budget }: { readonly budget: Budget }) {
  const { budget: all, common } = useWords();
  const words = all.evidence;
  const { businessId } = useSession();
  const { data, error, refetch } = useQuery({ ...budgetEvidenceQuery(budget.id), enabled: isAccepted(budget) });
  if (!isAccepted(budget)) return <EmptyState icon={ShieldCheck} title={words.none} text={words.noneText} />;
  if (error !== null) {
    return <ErrorPanel title={common.couldNotLoad(words.what)} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <SkeletonRows rows={5} />;
  const { evidence, verification } = data;
  const outcome = outcomeOf(verification, { budgetId: budget.id, businessId });
  const save = () => {
    const name = `evidence-${budget.number ?? budget.id}.json`;
    saveFile(new Blob([JSON.stringify(evidence)], { type: "application/json" }), name);
  };
  return (
    <Section
      title={words.title}
      beside={<Outcome outcome={outcome} />}
      actions={
        <Button icon={Download} onClick={save}>
          {words.download}
        </Button>
      }
    >
      <p className={styles.text}>
        {outcome === "verified" ? words.verifiedText : null}
        {outcome === "other" ? words.other : null}
        {verification.ok ? null : words.brokenText(verification.field, verification.reason)} {words.howTo}
      </p>
      {verification.ok && <SignedFacts signed={verification.signed} kid={verification.kid} />}
    </Section>
  );
}
