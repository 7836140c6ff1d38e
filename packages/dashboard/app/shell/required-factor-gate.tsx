import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from "react";
import { Button } from "../components/button.js";
import { LoginFrame } from "../screens/login/login-frame.js";
import { forgetRequiredFactor, isFactorRequired, onFactorChange } from "../session/required-factor.js";
import { logOut } from "../session/session.js";
import { onSessionChange, sessionChanged } from "../session/session-channel.js";
import { useWords } from "../words/use-words.js";

const EnrolFactor = lazy(() =>
  import("../screens/account/enrol-factor.js").then((module) => ({ default: module.EnrolFactor })),
);

/**
 * Where the business demands a second factor and the person has none, every call is refused: its set-up stands in place of
 * the screens, and then the screen of the address is shown.
 */
export function RequiredFactorGate({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient();
  const isRequired = useSyncExternalStore(onFactorChange, isFactorRequired);
  useEffect(
    () =>
      onSessionChange(() => {
        if (!isFactorRequired()) return;
        // Refused queries would show their error again; the screens read again.
        queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
        forgetRequiredFactor();
      }),
    [queryClient],
  );
  return isRequired ? <DemandedFactor /> : children;
}

function DemandedFactor() {
  const words = useWords();
  const leave = useMutation({ mutationFn: logOut, onSettled: sessionChanged });
  return (
    <LoginFrame title={words.account.demandedTitle}>
      <p>{words.account.demandedText}</p>
      <Suspense fallback={null}>
        <EnrolFactor onDone={sessionChanged} />
      </Suspense>
      <div>
        <Button kind="quiet" busy={leave.isPending} onClick={() => leave.mutate()}>
          {words.shell.signOut}
        </Button>
      </div>
    </LoginFrame>
  );
}
