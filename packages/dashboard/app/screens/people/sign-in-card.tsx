import { type Account, BudgetkitError } from "@budgetkit/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ConfirmDialog } from "../../components/dialog.js";
import { FormError } from "../../components/form-error.js";
import { Switch } from "../../components/inputs.js";
import { Section } from "../../components/page.js";
import { useToast } from "../../components/toast.js";
import { businessQuery } from "../../queries/business.js";
import { useMay } from "../../session/use-session.js";
import { api } from "../../start/api.js";
import { useWords } from "../../words/use-words.js";
import styles from "./people.module.css";
import { withoutFactor } from "./person-rules.js";

/** What a sign-in takes. Only an owner who has a second factor demands one of everyone. */
export function SignInCard({ people }: { readonly people: readonly Account[] }) {
  const words = useWords().people;
  const queryClient = useQueryClient();
  const toast = useToast();
  const mayDemand = useMay()("own");
  const { data: business } = useQuery(businessQuery);
  const [isAsking, setAsking] = useState(false);
  const demand = useMutation({
    mutationFn: (requireSecondFactor: boolean) =>
      api.business.update({ requireSecondFactor }, { ifMatch: business?.version }),
    onSuccess: (next) => {
      queryClient.setQueryData(businessQuery.queryKey, next);
      setAsking(false);
      toast({ text: next.requireSecondFactor ? words.demanded : words.notDemanded });
    },
    onError: () => void queryClient.invalidateQueries(businessQuery),
  });
  const isOn = business?.requireSecondFactor === true;
  const missing = withoutFactor(people).length;
  const sessions = people.reduce((sum, { openSessions }) => sum + openSessions, 0);
  return (
    <Section title={words.signIn}>
      <div className={styles.settings}>
        {mayDemand ? (
          <Switch
            label={words.demand}
            hint={isOn ? words.lackNow(missing) : words.wouldHaveTo(missing)}
            checked={isOn}
            disabled={business === undefined || demand.isPending}
            onChange={() => {
              demand.reset();
              setAsking(true);
            }}
          />
        ) : (
          <p>
            {words.demand}: {isOn ? words.on : words.off}
            <span className={styles.second}>{words.ownerDecides}</span>
          </p>
        )}
        <p>{words.openSessions(sessions)}</p>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={isOn ? words.undemandTitle : words.demandTitle}
          text={
            <>
              <p>{isOn ? words.undemandText : words.demandText(missing)}</p>
              <Refusal error={demand.error} />
            </>
          }
          verb={isOn ? words.undemand : words.demandVerb}
          kind={isOn ? "destroy" : "primary"}
          busy={demand.isPending}
          onConfirm={() => demand.mutate(!isOn)}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

/** An owner without a second factor could lock everyone out: the way to set it up stands beside the refusal. */
function Refusal({ error }: { readonly error: Error | null }) {
  const words = useWords().people;
  if (!(error instanceof BudgetkitError) || error.rule !== "SECOND_FACTOR_MISSING") return <FormError error={error} />;
  return (
    <p role="alert" className={styles.missing}>
      {words.ownFactorFirst} <Link to="/account">{words.setItUp}</Link>
    </p>
  );
}
