import type { Recurrence } from "../../pricing/recurring.js";
import type { PageFormats } from "./page-formats.js";
import type { PageWords } from "./page-words.js";

interface Wording {
  readonly words: PageWords;
  readonly formats: PageFormats;
}

/** Below a line: how often and how long it is charged. */
export function recurrenceNote(recurrence: Recurrence, wording: Wording): string {
  const { cycles, intervalCount, interval } = recurrence;
  const { words, formats } = wording;
  const whole = cycles === null ? null : formats.duration(cycles * intervalCount, interval);
  return words.recurs(eachOf(recurrence, wording), whole);
}

/** What a later cycle costs: `$ 120.00 every year`. */
export function laterAmount(recurrence: Recurrence, amount: string, wording: Wording): string {
  return wording.words.amountEach(amount, eachOf(recurrence, wording));
}

/** Before that: how long it goes on after the first cycle. */
export function laterTerm({ cycles, intervalCount, interval }: Recurrence, { words, formats }: Wording): string {
  return words.later(cycles === null ? null : formats.duration((cycles - 1) * intervalCount, interval));
}

function eachOf({ interval, intervalCount }: Recurrence, { words, formats }: Wording): string {
  return intervalCount === 1 ? words.each[interval] : words.every(formats.duration(intervalCount, interval));
}
