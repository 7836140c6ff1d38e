import { err, ok, type Result } from "neverthrow";
import { brokenRule, type Problem } from "../kernel/problem.js";

/** A tax is added to the total, or contained in it; a withholding is kept back by the customer, who pays it elsewhere. */
export const TAX_KINDS = ["tax", "withholding"] as const;
export type TaxKind = (typeof TAX_KINDS)[number];

/** One tax of a budget. */
export interface TaxRule {
  /** Lines and other taxes name it. */
  readonly id: string;
  /** For people: IVA, VAT, USt. */
  readonly name: string;
  /** 0 to 1, read as an exact decimal. */
  readonly rate: number;
  /** A withholding lowers what is payable, not the total. */
  readonly kind: TaxKind;
  /** True = the prices contain it. */
  readonly inclusive: boolean;
  /** Ids of the taxes that its base contains besides the net amount. */
  readonly on: readonly string[];
}

/** Taxes of one budget at most. */
export const MAX_TAXES = 8;

/**
 * The taxes in an order in which they can be computed: each after those that its base contains, otherwise as given.
 * Errors: DUPLICATE_TAX, UNKNOWN_TAX, INVALID_TAX_BASE, TAX_CYCLE.
 */
export function inOrderOfComputation(taxes: readonly TaxRule[]): Result<readonly TaxRule[], Problem> {
  const problem = findProblem(taxes);
  if (problem !== null) return err(problem);
  const ordered: TaxRule[] = [];
  const done = new Set<string>();
  while (ordered.length < taxes.length) {
    const next = taxes.find(({ id, on }) => !done.has(id) && on.every((each) => done.has(each)));
    if (next === undefined) return err(cycle(taxes, done));
    ordered.push(next);
    done.add(next.id);
  }
  return ok(ordered);
}

function findProblem(taxes: readonly TaxRule[]): Problem | null {
  const known = new Map<string, TaxRule>();
  for (const [index, tax] of taxes.entries()) {
    if (known.has(tax.id)) return duplicate(index, tax.id);
    known.set(tax.id, tax);
  }
  for (const [index, tax] of taxes.entries()) {
    if (tax.inclusive && tax.kind === "withholding") {
      return invalidBase(`taxes[${index}].inclusive`, "A withholding is never contained in the prices.", tax.id);
    }
    for (const [place, id] of tax.on.entries()) {
      const problem = findProblemOfBase(tax, known.get(id), `taxes[${index}].on[${place}]`, id);
      if (problem !== null) return problem;
    }
  }
  return null;
}

function findProblemOfBase(tax: TaxRule, base: TaxRule | undefined, field: string, id: string): Problem | null {
  if (base === undefined) return unknownTax(field, id);
  if (base.kind === "withholding") return invalidBase(field, "No tax is on a withholding.", id);
  if (tax.inclusive && !base.inclusive) {
    return invalidBase(field, "A tax that the prices contain can be on taxes alone that they contain too.", id);
  }
  return null;
}

export function unknownTax(field: string, id: string): Problem {
  return brokenRule("UNKNOWN_TAX", "The budget has no tax of this id.", { field, id });
}

function duplicate(index: number, id: string): Problem {
  return brokenRule("DUPLICATE_TAX", "Two taxes have this id.", { field: `taxes[${index}].id`, id });
}

function invalidBase(field: string, message: string, id: string): Problem {
  return brokenRule("INVALID_TAX_BASE", message, { field, id });
}

function cycle(taxes: readonly TaxRule[], done: ReadonlySet<string>): Problem {
  const index = taxes.findIndex(({ id }) => !done.has(id));
  const ids = taxes.map(({ id }) => id).filter((id) => !done.has(id));
  return brokenRule("TAX_CYCLE", "Taxes are on each other in a circle.", { field: `taxes[${index}].on`, ids });
}
