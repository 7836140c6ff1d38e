import { type Budget, BudgetkitError } from "@budgetkit/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, FileText, ShieldCheck } from "lucide-react";
import { IconButton } from "../../../components/button.js";
import { messageOf } from "../../../components/notices.js";
import { useToast } from "../../../components/toast.js";
import { budgetEvidenceQuery } from "../../../queries/budget.js";
import { useSession } from "../../../session/use-session.js";
import { api } from "../../../start/api.js";
import { useWords } from "../../../words/use-words.js";
import { isAccepted, Outcome, outcomeOf } from "../evidence/outcome.js";
import { saveFile } from "../save-file.js";
import styles from "./side.module.css";

/** The evidence with what its check found, and the PDF. */
export function DocumentsCard({ budget }: { readonly budget: Budget }) {
  const { budget: all } = useWords();
  return (
    <section className={styles.part} aria-label={all.side.documents}>
      {isAccepted(budget) && <EvidenceRow budget={budget} />}
      <PdfRow budget={budget} />
    </section>
  );
}

function EvidenceRow({ budget }: { readonly budget: Budget }) {
  const words = useWords().budget.evidence;
  const { businessId } = useSession();
  const { data } = useQuery(budgetEvidenceQuery(budget.id));
  const hash = data?.verification.ok === true ? data.verification.signed.contentHash : null;
  return (
    <div className={styles.document}>
      <ShieldCheck size={16} strokeWidth={1.75} aria-hidden="true" />
      <span>
        <Link to="/budgets/$budgetId" params={{ budgetId: budget.id }} search={{ tab: "evidence" }} resetScroll={false}>
          {words.title}
        </Link>{" "}
        {hash !== null && <code className={styles.quiet}>{`${hash.slice(0, 4)}…${hash.slice(-4)}`}</code>}
      </span>
      {data !== undefined && <Outcome outcome={outcomeOf(data.verification, { budgetId: budget.id, businessId })} />}
    </div>
  );
}

function PdfRow({ budget }: { readonly budget: Budget }) {
  const { budget: all, common } = useWords();
  const toast = useToast();
  const download = useMutation({
    mutationFn: async () => {
      const pdf = await api.budgets.readPdf(budget.id);
      saveFile(await pdf.blob(), pdf.fileName);
    },
    onError: (error) => {
      const id = error instanceof BudgetkitError && error.requestId !== null ? ` (${error.requestId})` : "";
      toast({ text: `${messageOf(error, common)}${id}`, isError: true });
    },
  });
  return (
    <div className={styles.document}>
      <FileText size={16} strokeWidth={1.75} aria-hidden="true" />
      <span>{all.side.pdf}</span>
      <IconButton
        icon={Download}
        label={all.side.downloadPdf}
        size="small"
        busy={download.isPending}
        onClick={() => download.mutate()}
      />
    </div>
  );
}
