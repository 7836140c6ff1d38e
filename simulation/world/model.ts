/**
 * What the service may do, written from the contract and the documentation and not from the code. The model has no
 * processes, stores or faults. It follows the event log, and predicts which moves, amounts and answers are allowed.
 */
export type Status = "DRAFT" | "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED" | "COMPLETED" | "ARCHIVED" | "DELETED";

/** The moves of docs/budgets.md, by what the client asks for: from which status to which. */
const MOVES: Readonly<Record<string, readonly (readonly [Status, Status])[]>> = {
  update: [
    ["DRAFT", "PENDING"],
    ["PENDING", "APPROVED"],
    ["PENDING", "REJECTED"],
    ["PENDING", "EXPIRED"],
    ["REJECTED", "PENDING"],
    ["EXPIRED", "PENDING"],
  ],
  submit: [["DRAFT", "PENDING"]],
  withdraw: [["PENDING", "DRAFT"]],
  reopen: [["APPROVED", "PENDING"]],
  complete: [["APPROVED", "COMPLETED"]],
  archive: [["COMPLETED", "ARCHIVED"]],
  accept: [["PENDING", "APPROVED"]],
  decline: [["PENDING", "REJECTED"]],
};

const ALL_MOVES = Object.values(MOVES).flat();

/** Whether a committed event may lead a budget from one status to another. */
function isMove(from: Status | null, to: Status | null): boolean {
  if (from === null) return to === "PENDING" || to === "DRAFT"; // a new budget
  if (to === from) return from !== "DELETED"; // a change of fields
  if (to === "DELETED") return true;
  if (from === "DELETED") return to !== null; // checked against the status before the deletion
  return ALL_MOVES.some(([start, end]) => start === from && end === to);
}

/** Whether a request of this kind may move a budget of this status. */
export function mayMove(action: string, from: Status, to: Status): boolean {
  return MOVES[action]?.some(([start, end]) => start === from && end === to) ?? false;
}

/** A line as the clients of the simulation order it: whole cents, and quantities with up to two decimals. */
export interface Line {
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: number;
}

/** The amounts of a budget, in cents. */
export interface Amounts {
  readonly subtotal: number;
  readonly discount: number;
  readonly tax: number;
  readonly total: number;
}

/** Every line is rounded half up, then the tax of what is left after the discount. */
export function amountsOf(lines: readonly Line[], taxRate: number, discountCents: number): Amounts {
  const subtotal = lines.reduce((sum, { quantity, unitPrice }) => sum + lineCents(quantity, unitPrice), 0);
  const percent = Math.round(taxRate * 100);
  const tax = Math.floor(((subtotal - discountCents) * percent + 50) / 100);
  return { subtotal, discount: discountCents, tax, total: subtotal - discountCents + tax };
}

function lineCents(quantity: number, unitPrice: number): number {
  return Math.floor((Math.round(quantity * 100) * cents(unitPrice) + 50) / 100);
}

export function cents(amount: number): number {
  return Math.round(amount * 100);
}

/** Events that leave the budget as it is, or at the same status. */
const BESIDE: ReadonlySet<string> = new Set(["budget.viewed", "budget.change_requested", "budget.message_sent"]);

/** The life of one budget, as the event log records it. */
export interface BudgetLife {
  readonly tenant: string;
  readonly id: string;
  status: Status;
  before: Status; // where a restored budget returns to
  /** Each status with the step in which it was seen first. */
  readonly history: { readonly step: number; readonly status: Status }[];
  /** The content of each version that was seen in the store. No version may have a second content. */
  readonly versions: Map<number, string>;
  acknowledged: number; // the highest version that a client was shown
  expiries: number; // events of expiry since it was last PENDING
  deadlines: Set<number>; // the validity dates it has had
}

export class Model {
  readonly budgets = new Map<string, BudgetLife>();
  readonly sequences = new Map<string, number>(); // by tenant: the last one
  readonly revisions = new Map<string, number>(); // by tenant and subject: the last one

  /** Takes the next event of the log. Returns what is wrong with it; null = it is allowed. */
  apply(tenant: string, step: number, event: LoggedEvent): string | null {
    const expected = (this.sequences.get(tenant) ?? 0) + 1;
    if (event.sequence !== expected) return `the log of ${tenant} has ${event.sequence} where ${expected} follows`;
    this.sequences.set(tenant, expected);
    const subject = `${tenant} ${event.type.split(".")[0]} ${event.subjectId}`;
    const revision = (this.revisions.get(subject) ?? 0) + 1;
    if (event.revision !== revision) return `the log of ${subject} has revision ${event.revision}, not ${revision}`;
    this.revisions.set(subject, revision);
    return event.type.startsWith("budget.") ? this.#applyToBudget(tenant, step, event) : null;
  }

  #applyToBudget(tenant: string, step: number, { type, subjectId: id, from, to }: LoggedEvent): string | null {
    if (BESIDE.has(type)) return null;
    const known = this.budgets.get(id);
    if (type === "budget.created") {
      if (known !== undefined) return `budget ${id} was created twice`;
      if (!isMove(null, to)) return `budget ${id} was created as ${to}`;
      const status = to ?? "PENDING";
      const rest = { acknowledged: 0, expiries: 0, deadlines: new Set<number>(), versions: new Map<number, string>() };
      this.budgets.set(id, { tenant, id, status, before: status, history: [{ step, status }], ...rest });
      return null;
    }
    if (known === undefined) return `${type} of budget ${id}, which was never created`;
    if (known.tenant !== tenant) return `${type} of budget ${id} is in the log of another business`;
    const start = from ?? known.status;
    const end = to ?? known.status;
    if (start !== known.status) return `${type} of budget ${id} begins at ${start}, but it is ${known.status}`;
    if (!isMove(start, end)) return `${type} leads budget ${id} from ${start} to ${end}`;
    if (start === "DELETED" && end !== known.before && end !== "EXPIRED") return `budget ${id} came back as ${end}`;
    if (type !== typeFor(start, end)) return `the move from ${start} to ${end} of budget ${id} is called ${type}`;
    if (end === "DELETED") known.before = start;
    known.status = end;
    if (start !== end) known.history.push({ step, status: end });
    return null;
  }
}

/** An event of the log, as far as the model reads it. */
export interface LoggedEvent {
  readonly sequence: number;
  readonly revision: number; // of its subject
  readonly type: string;
  readonly subjectId: string;
  readonly from: Status | null;
  readonly to: Status | null;
}

/** The name of the event of a move: the table "Operation, Event" of the documentation. */
function typeFor(from: Status, to: Status): string {
  if (from === to || from === "DELETED") return "budget.updated";
  if (to === "APPROVED") return "budget.approved";
  if (to === "REJECTED") return "budget.rejected";
  if (to === "EXPIRED") return "budget.expired";
  if (to === "DELETED") return "budget.deleted";
  return "budget.updated";
}

/** The statuses of a budget between two steps, including the one right before. */
export function statusesBetween({ history }: BudgetLife, first: number, last: number): ReadonlySet<Status> {
  const statuses = new Set<Status>();
  for (const [index, { step, status }] of history.entries()) {
    const until = history[index + 1]?.step ?? Number.POSITIVE_INFINITY;
    if (step <= last && until >= first) statuses.add(status);
  }
  return statuses;
}
