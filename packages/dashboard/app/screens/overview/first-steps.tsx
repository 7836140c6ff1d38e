import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "../../components/button.js";
import { Section } from "../../components/page.js";
import { businessQuery } from "../../queries/business.js";
import { useMay } from "../../session/use-session.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import styles from "./overview.module.css";

/** For a business without budgets: what leads to the first offer, and what connects a system. */
export function FirstSteps() {
  const words = useWords().overview.steps;
  const may = useMay();
  const { data: business } = useQuery(businessQuery);
  const hasCustomer = useHasAny("customers", may("READ_CUSTOMERS"), (signal) =>
    api.customers.list({ limit: 1 }, { signal }),
  );
  const hasKey = useHasAny("keys", may("administer"), (signal) => api.keys.list({ limit: 1 }, { signal }));
  const hasEndpoint = useHasAny("webhooks", may("administer"), (signal) => api.webhooks.list({ limit: 1 }, { signal }));
  const hasProfile = business !== undefined && (business.email !== null || business.legalName !== null);
  const selling: Step[] = [];
  if (may("administer")) {
    selling.push({
      title: words.profile,
      text: words.profileText,
      isDone: hasProfile,
      link: (kind) => (
        <ButtonLink to="/business" search={{}} kind={kind}>
          {words.profileVerb}
        </ButtonLink>
      ),
    });
  }
  if (may("WRITE_CUSTOMERS")) {
    selling.push({
      title: words.customer,
      text: words.customerText,
      isDone: hasCustomer,
      link: (kind) => (
        <ButtonLink to="/customers" search={{}} kind={kind}>
          {words.customerVerb}
        </ButtonLink>
      ),
    });
  }
  if (may("WRITE_BUDGETS")) {
    selling.push({
      title: words.offer,
      text: words.offerText,
      isDone: false,
      link: (kind) => (
        <ButtonLink to="/budgets/new" search={{}} kind={kind}>
          {words.offerVerb}
        </ButtonLink>
      ),
    });
  }
  const integrating: Step[] = [
    {
      title: words.key,
      text: words.keyText,
      isDone: hasKey,
      link: () => <ButtonLink to="/keys">{words.keyVerb}</ButtonLink>,
    },
    {
      title: words.endpoint,
      text: words.endpointText,
      isDone: hasEndpoint,
      link: () => <ButtonLink to="/webhooks">{words.endpointVerb}</ButtonLink>,
    },
  ];
  return (
    <>
      {selling.length > 0 && (
        <Section title={words.sell}>
          <p className={styles.lead}>{words.sellText}</p>
          <Steps steps={selling} hasPresent />
        </Section>
      )}
      {may("administer") && (
        <Section title={words.integrate}>
          <Steps steps={integrating} hasPresent={false} />
        </Section>
      )}
      {selling.length === 0 && <p>{words.nothingYet}</p>}
    </>
  );
}

interface Step {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  readonly link: (kind: "primary" | "secondary") => ReactNode;
}

/** The first step that is not done is the present one, and carries the primary button. */
function Steps({ steps, hasPresent }: { readonly steps: readonly Step[]; readonly hasPresent: boolean }) {
  const words = useWords().overview.steps;
  const present = hasPresent ? steps.findIndex(({ isDone }) => !isDone) : -1;
  return (
    <ol className={styles.steps}>
      {steps.map(({ title, text, isDone, link }, index) => (
        <li key={title} aria-current={index === present ? "step" : undefined}>
          <span className={styles.mark} aria-hidden="true">
            {isDone ? <Check size={14} /> : index + 1}
          </span>
          <div>
            <h3>
              {title}
              {isDone && <span className="visually-hidden"> ({words.done})</span>}
            </h3>
            <p>{text}</p>
          </div>
          {!isDone && link(index === present ? "primary" : "secondary")}
        </li>
      ))}
    </ol>
  );
}

type ReadOne = (signal: AbortSignal) => PromiseLike<{ readonly pagination: { readonly total: number } }>;

function useHasAny(name: string, isEnabled: boolean, read: ReadOne): boolean {
  const { data } = useQuery({
    queryKey: [name, "any"],
    enabled: isEnabled,
    queryFn: async ({ signal }) => (await read(signal)).pagination.total > 0,
  });
  return data ?? false;
}
