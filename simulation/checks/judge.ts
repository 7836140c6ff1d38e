import { Violation } from "../engine/violation.js";
import { type Exchange, isRecord, type Json } from "../world/exchange.js";
import { MOST_SKEW_MS } from "../world/kinds.js";
import { type BudgetLife, cents, mayMove, type Status, statusesBetween } from "../world/model.js";
import type { Link } from "../world/tenants.js";
import type { World } from "../world/world.js";

/** Compares an answer with what the model allows. Throws a Violation. */
export function judge(world: World, exchange: Exchange): void {
  const { status, text, tenant } = exchange;
  if (status === null) return;
  if (status >= 500 && status !== 503) throw new Violation("no unexpected failure", `${named(exchange)}: ${text}`);
  for (const other of world.tenants) {
    if (other !== tenant && text.includes(other.mark)) {
      throw new Violation("no business sees another", `${named(exchange)} shows what ${other.name} wrote`);
    }
  }
  if (exchange.foreign === true && status !== 404 && status !== 503) {
    throw new Violation("no business sees another", `${named(exchange)} names what another business has`);
  }
  judgeCredential(exchange);
  const life = world.model.budgets.get(exchange.budgetId ?? "");
  if (life !== undefined && exchange.foreign !== true) judgeMove(world, exchange, life);
  judgeVersion(exchange);
  if (status < 300) for (const view of viewsIn(exchange)) judgeView(world, exchange, view);
}

function named({ client, method, path, status }: Exchange): string {
  return `${client}: ${method} ${path} → ${status}`;
}

/** A key is refused after the answer to its revocation, and never before the request for it. */
function judgeCredential(exchange: Exchange): void {
  const { as, status, startStep } = exchange;
  if (as === null || as === "owner" || status === 503) return;
  if (as.refusedFrom !== null && startStep > as.refusedFrom && status !== 401) {
    throw new Violation("a refused credential is refused everywhere", named(exchange));
  }
  if (status === 401 && as.endingSince === null) throw new Violation("a valid credential is accepted", named(exchange));
}

function judgeMove(world: World, exchange: Exchange, life: BudgetLife): void {
  const { status, startStep, endStep, to, action, json } = exchange;
  const between = new Set(statusesBetween(life, startStep, endStep));
  const earliest = Math.min(...life.deadlines);
  if (between.has("PENDING") && earliest <= exchange.endAt + MOST_SKEW_MS) between.add("EXPIRED");
  const link = world.tenants.flatMap(({ links }) => links).find(({ token }) => token === exchange.token);
  if (link !== undefined) judgeLink(exchange, link, between);
  else if (status === 404 && !between.has("DELETED") && !hasNoLink(exchange)) {
    throw new Violation("acknowledged writes stay", `${named(exchange)}: the budget was not deleted`);
  }
  if (status !== null && status < 300 && to !== undefined && !exchange.isReplay && !between.has(to)) {
    const waits = action === "accept" && isRecord(json.data) && json.data.status === "PENDING";
    if (!waits) throw new Violation("a success has its effect", `${named(exchange)}: the budget never became ${to}`);
  }
  if (status === 422) judgeRefusal(exchange, between);
}

/** The budget exists, but its link has ended. */
function hasNoLink({ action, json }: Exchange): boolean {
  return action === "unlink" && isRecord(json.details) && json.details.resource === "publicLink";
}

/** A customer's answer and a change with If-Match follow the version that was shown. */
function judgeVersion(exchange: Exchange): void {
  const { status, ifMatch, token, body, json, isReplay } = exchange;
  const shown = ifMatch ?? (token === undefined ? undefined : body?.version);
  if (status !== 200 || isReplay || typeof shown !== "number" || !isRecord(json.data)) return;
  if (json.data.version !== shown + 1) {
    throw new Violation(
      "a version has one successor",
      `${named(exchange)}: ${String(json.data.version)} follows ${shown}`,
    );
  }
}

function judgeLink(exchange: Exchange, { made, budgetId }: Link, between: ReadonlySet<Status>): void {
  const { status, startStep, endStep, tenant } = exchange;
  const endings = tenant.linkEndings.filter((each) => each.budgetId === budgetId);
  const hasEnded = endings.some((each) => {
    return each.startStep > made.endStep && each.endStep !== null && each.endStep < startStep;
  });
  if (hasEnded && status !== 404 && status !== 503) throw new Violation("an ended link shows nothing", named(exchange));
  const mayHaveEnded = endings.some((each) => {
    return each.startStep <= endStep && (each.endStep === null || each.endStep >= made.startStep);
  });
  const isHidden = between.has("DRAFT") || between.has("DELETED");
  if (status === 404 && !mayHaveEnded && !isHidden) throw new Violation("a link works until it ends", named(exchange));
}

/** A refusal names a status that the budget had, and a move that the contract lacks. */
function judgeRefusal(exchange: Exchange, between: ReadonlySet<Status>): void {
  const { json, action, to } = exchange;
  const details = isRecord(json.details) ? json.details : {};
  const rule = String(details.rule ?? details.code ?? json.error);
  if (typeof details.from !== "string" || typeof details.to !== "string") return;
  const from = details.from as Status;
  if (!between.has(from)) {
    throw new Violation("a refusal has its reason", `${named(exchange)}: the budget was not ${from} (${rule})`);
  }
  if (to !== undefined && mayMove(action, from, to)) {
    throw new Violation("a refusal has its reason", `${named(exchange)}: ${action} leads from ${from} to ${to}`);
  }
}

function viewsIn({ json: { data }, action }: Exchange): readonly Json[] {
  if (action === "pay" || action === "endpoint" || action === "events" || action === "dashboard") return [];
  const views = Array.isArray(data) ? data : [data];
  return views.filter(isRecord).filter((view) => typeof view.total === "number" && typeof view.version === "number");
}

function judgeView(world: World, exchange: Exchange, view: Json): void {
  judgeAmounts(exchange, view);
  const life = world.model.budgets.get(String(view.id));
  const version = Number(view.version);
  if (life === undefined) {
    throw new Violation(
      "acknowledged writes stay",
      `${named(exchange)} shows budget ${String(view.id)} that no event made`,
    );
  }
  if (view.status === "EXPIRED" || exchange.isReplay) return; // shown as expired before the expiry is written
  if (life.id === exchange.budgetId && version < exchange.shownVersion) {
    const known = `version ${exchange.shownVersion} was shown before`;
    throw new Violation("acknowledged writes stay", `${named(exchange)} shows version ${version}, but ${known}`);
  }
  const stored = life.versions.get(version);
  const shown = fingerprintOf(String(view.status), cents(Number(view.total)), cents(Number(view.paid ?? 0)));
  if (stored !== undefined && stored !== shown) {
    throw new Violation(
      "a version has one successor",
      `${named(exchange)}: version ${version} is ${stored}, not ${shown}`,
    );
  }
  life.acknowledged = Math.max(life.acknowledged, version);
}

export function fingerprintOf(status: string, total: number, paid: number): string {
  return `${status} total ${total} paid ${paid}`;
}

/** total = subtotal − discount + tax, the lines sum to it, and it is what the model computes from the request. */
function judgeAmounts(exchange: Exchange, view: Json): void {
  const [total, subtotal, tax] = [view.total, view.subtotal, view.tax].map((amount) => cents(Number(amount)));
  if (total === undefined || subtotal === undefined || tax === undefined) return;
  const items = Array.isArray(view.items) ? view.items.filter(isRecord) : [];
  const sum = (field: string) => items.reduce((all, item) => all + cents(Number(item[field] ?? 0)), 0);
  const fail = (what: string): never => {
    throw new Violation("the amounts are exact", `${named(exchange)}: ${what}`);
  };
  if (typeof view.discount === "number") {
    const discount = cents(view.discount);
    if (total !== subtotal - discount + tax) fail(`${total} is not ${subtotal} - ${discount} + ${tax} cents`);
    if (items.some((item) => "tax" in item)) {
      if (sum("tax") !== tax) fail(`the taxes of the lines are ${sum("tax")}, not ${tax} cents`);
      if (sum("discount") !== discount)
        fail(`the discounts of the lines are ${sum("discount")}, not ${discount} cents`);
    }
  }
  if (items.length > 0 && sum("total") !== subtotal) fail(`the lines sum to ${sum("total")}, not ${subtotal} cents`);
  const { amounts } = exchange;
  if (amounts === undefined || Array.isArray(exchange.json.data)) return;
  if (amounts.total !== total || amounts.tax !== tax || amounts.subtotal !== subtotal) {
    fail(`total ${total}, tax ${tax}, subtotal ${subtotal} cents, but the model has ${JSON.stringify(amounts)}`);
  }
}
