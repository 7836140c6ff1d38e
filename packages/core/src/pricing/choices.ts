import { err, ok, type Result } from "neverthrow";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { isItem, type Kinded } from "./line-kind.js";
import { isSelectable, type Selectable } from "./selectable.js";

/** A choice among items: between `minimum` and `maximum` of those that name its key are selected. */
interface Choice {
  readonly key: string;
  readonly minimum: number;
  readonly maximum: number;
}

/** A line, as far as choices count. The choice itself has `key`, `minimum` and `maximum`. */
export interface ChoiceLine
  extends Kinded,
    Selectable,
    Partial<{ [Field in keyof Choice]: Choice[Field] | undefined }> {}

/** Of one budget, and of one choice, at most. */
const MAX_CHOICES = 20;
const MAX_OPTIONS = 50;

/** How many of a choice's items there are, and are selected. */
interface CountedChoice extends Choice {
  readonly index: number; // of its line
  options: number;
  selected: number;
}

/**
 * Checks that choices and their items fit together. A choice with fewer selected items than its minimum is complete later.
 * Errors: TOO_MANY_OPTIONS, DUPLICATE_CHOICE, UNKNOWN_CHOICE, IMPOSSIBLE_CHOICE, CHOICE_EXCEEDED, NOT_SELECTABLE.
 */
export function checkChoices(lines: readonly ChoiceLine[]): Result<void, Problem> {
  if (!lines.some(isOpen)) return ok(undefined); // as most budgets
  const lone = lines.findIndex((line) => line.selected !== undefined && !isSelectable(line));
  if (lone !== -1)
    return err(notSelectable(`items[${lone}].selected`, "Only an optional line, or one of a choice, is selected."));
  const both = lines.findIndex((line) => line.optional === true && line.choice !== undefined);
  if (both !== -1)
    return err(notSelectable(`items[${both}].optional`, "A line of a choice is not optional beside it."));
  return countChoices(lines).andThen((choices) => {
    for (const choice of choices) {
      const problem = findProblem(choice);
      if (problem !== null) return err(problem);
    }
    return ok(undefined);
  });
}

function isOpen({ kind, selected, optional, choice }: ChoiceLine): boolean {
  return kind === "choice" || selected !== undefined || optional === true || choice !== undefined;
}

/** The keys of the choices that lack a selection. */
export function incompleteChoices(lines: readonly ChoiceLine[]): readonly string[] {
  if (!lines.some(({ kind }) => kind === "choice")) return [];
  const choices = countChoices(lines);
  return choices.isErr() ? [] : choices.value.filter((each) => each.selected < each.minimum).map(({ key }) => key);
}

function countChoices(lines: readonly ChoiceLine[]): Result<readonly CountedChoice[], Problem> {
  const choices = new Map<string, CountedChoice>();
  for (const [index, { kind, key, minimum = 1, maximum = 1 }] of lines.entries()) {
    if (kind !== "choice" || key === undefined) continue;
    if (choices.has(key)) return err(duplicate(index, key));
    choices.set(key, { key, minimum, maximum, index, options: 0, selected: 0 });
  }
  if (choices.size > MAX_CHOICES)
    return err(tooMany("items", `A budget has at most ${MAX_CHOICES} choices.`, MAX_CHOICES));
  for (const [index, line] of lines.entries()) {
    if (line.choice === undefined || !isItem(line)) continue;
    const choice = choices.get(line.choice);
    if (choice === undefined) return err(unknownChoice(index, line.choice));
    choice.options += 1;
    choice.selected += Number(line.selected === true);
  }
  return ok([...choices.values()]);
}

function findProblem({ key, minimum, maximum, index, options, selected }: CountedChoice): Problem | null {
  const field = `items[${index}]`;
  const counts = { field, key, minimum, maximum, options, selected };
  if (options > MAX_OPTIONS) return tooMany(field, `A choice has at most ${MAX_OPTIONS} items.`, MAX_OPTIONS);
  if (options === 0 || minimum > maximum || minimum > options) {
    const message =
      "A choice needs at least its minimum of items that name its key, and a maximum not below the minimum.";
    return brokenRule("IMPOSSIBLE_CHOICE", message, counts);
  }
  return selected > maximum
    ? brokenRule("CHOICE_EXCEEDED", "More items of the choice are selected than its maximum.", counts)
    : null;
}

function notSelectable(field: string, message: string): Problem {
  return brokenRule("NOT_SELECTABLE", message, { field });
}

function duplicate(index: number, key: string): Problem {
  return brokenRule("DUPLICATE_CHOICE", "Two choices have this key.", { field: `items[${index}].key`, key });
}

function unknownChoice(index: number, key: string): Problem {
  return brokenRule("UNKNOWN_CHOICE", "The budget has no choice of this key.", {
    field: `items[${index}].choice`,
    key,
  });
}

function tooMany(field: string, message: string, max: number): Problem {
  return brokenRule("TOO_MANY_OPTIONS", message, { field, max });
}
