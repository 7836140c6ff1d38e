/** The values that a document had, for undo and redo. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** What the last change was of; a further one of the same goes into the same step. Null = the step is closed. */
  readonly open: string | null;
}

const MAX_STEPS = 200;

export function historyOf<T>(present: T): History<T> {
  return { past: [], present, future: [], open: null };
}

/** Adds a step. Typing passes the name of its field, so that a run of letters is one step. */
export function record<T>(history: History<T>, next: T, of: string | null = null): History<T> {
  if (next === history.present) return history;
  if (of !== null && of === history.open) return { ...history, present: next, future: [] };
  return { past: [...history.past, history.present].slice(-MAX_STEPS), present: next, future: [], open: of };
}

/** Ends the run of typing: what follows is a step of its own. */
export function closeStep<T>(history: History<T>): History<T> {
  return history.open === null ? history : { ...history, open: null };
}

export function undo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  const former = past.at(-1);
  if (former === undefined) return history;
  return { past: past.slice(0, -1), present: former, future: [present, ...future], open: null };
}

export function redo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  const [next, ...later] = future;
  return next === undefined ? history : { past: [...past, present], present: next, future: later, open: null };
}
