import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import { HostSessionMissing } from "../screens/login/host-session-missing.js";
import { LoginScreen } from "../screens/login/login-screen.js";
import { mount } from "../start/mount.js";
import { may, type Right } from "./rights.js";
import { isSamePerson } from "./same-person.js";
import { type Session, sessionQuery } from "./session.js";
import { notifyOtherTabs, onSessionChange } from "./session-channel.js";

const SessionContext = createContext<Session | null>(null);

/**
 * Shows its children to whoever is logged in, and a login form to others, at the same address. A tab is of one person: when
 * another one has logged in, by another tab or here, it begins again with nothing in memory.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const queryClient = useQueryClient();
  const { data: session } = useSuspenseQuery(sessionQuery);
  useEffect(() => onSessionChange(() => void queryClient.invalidateQueries(sessionQuery)), [queryClient]);
  const userId = session?.userId ?? null;
  const person = useRef(session);
  const isAnother = session !== null && person.current !== null && !isSamePerson(person.current, session);
  useEffect(() => {
    if (isAnother) location.reload();
    else if (session !== null) person.current = session;
  }, [isAnother, session]);
  // A link that logs in opens a session without a word to the other tabs.
  useEffect(() => {
    if (userId !== null) notifyOtherTabs();
  }, [userId]);
  useEffect(() => {
    if (userId === null) queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  }, [queryClient, userId]);
  if (isAnother) return null;
  if (session === null) return mount.session === "host" ? <HostSessionMissing /> : <LoginScreen />;
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("useSession is for what SessionGate shows");
  return session;
}

/** Whether the person may do that; what they may not do is not shown. */
export function useMay(): (right: Right) => boolean {
  const session = useSession();
  return (right) => may(session, right);
}
