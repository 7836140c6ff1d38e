import { mount } from "../start/mount.js";

type Listener = () => void;

const listeners = new Set<Listener>();
const channel = new BroadcastChannel(`budgetkit ${mount.base}`);
channel.addEventListener("message", () => notify());

/** Calls the listener when the session began or ended, in this tab or in another one. Returns the end of listening. */
export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A call was refused: nobody is logged in any more. */
export function sessionEnded(): void {
  sessionChanged();
}

/** A person logged in or out here: the other tabs ask again who it is. */
export function sessionChanged(): void {
  notifyOtherTabs();
  notify();
}

/** The other tabs ask again who is logged in. */
export function notifyOtherTabs(): void {
  channel.postMessage("changed");
}

function notify(): void {
  for (const listener of listeners) listener();
}
