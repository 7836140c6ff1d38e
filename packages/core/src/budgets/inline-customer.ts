import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Customer, customerEmailKeyOf } from "../catalog/customer.js";
import { type CreateCustomer, createCustomerSchema, customers } from "../catalog/manage-customers.js";
import { entriesOf, makeRecord, newRecordId, valueTaken } from "../catalog/write-records.js";
import type { DomainEvent } from "../events/event.js";
import { type Actor, hasScope, refuseWithoutScope } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import { type CheckedFields, crossFieldCheck } from "../kernel/validation.js";
import type { BudgetContext } from "./budget-context.js";
import type { Summaries } from "./budget-view.js";
import { customersOf, summariesOfCustomer } from "./references/summaries.js";

const FIELDS = Object.keys(createCustomerSchema.shape).join(", ");

/** A customer in the creation of a budget. Unknown fields are refused: a budget for nobody looks like a success. */
const inlineCustomerSchema = z
  .strictObject(createCustomerSchema.shape, {
    error: ({ code }) => (code === "unrecognized_keys" ? `The fields of a customer are ${FIELDS}.` : undefined),
  })
  .meta({ id: "InlineCustomer" });
/** The customer of a new budget, made with it unless the catalog has the customer already. */
export interface InlineCustomer extends CreateCustomer {}

/** The member `customer` of a creation. */
export const inlineCustomer = inlineCustomerSchema
  .nullish()
  .describe(
    "In place of `customerId`: the customer with this `id` or else this email, made with the budget if there is none.",
  );

/** How a creation names its customer. */
export interface NamesCustomer {
  readonly customerId?: string | null | undefined;
  readonly customer?: z.output<typeof inlineCustomer>;
}

/** The customer of a creation for callers in TypeScript, which requires one of the two. Both are refused when it runs. */
export type ForCustomer<Id> =
  | {
      /** Id of the customer. */
      readonly customerId: Id;
      /** Not beside an id. */
      readonly customer?: InlineCustomer | null | undefined;
    }
  | {
      /** Not beside a customer. */
      readonly customerId?: Id | undefined;
      /** Made with the budget if there is none with this id or else this email. */
      readonly customer: InlineCustomer;
    };

/** A customer that the commit of a budget adds, with the event of its creation. */
export interface AddedCustomer {
  readonly customer: Customer;
  readonly sharesEmail: boolean; // the caller chose the id: others may have the email
  readonly events: readonly DomainEvent[];
}

/** The customer of a new budget, as the catalog has it. */
export interface CustomerOfBudget {
  readonly customerId: string;
  readonly summaries: Summaries;
  readonly added: AddedCustomer | null; // null = nothing is added to the catalog
}

/**
 * Requires exactly one of `customerId` and `customer`, and reports a missing id where the schema of an object with these
 * fields reports it.
 */
export function requireCustomer(fields: readonly string[]) {
  const isAfter = (field: unknown) => fields.indexOf(String(field)) > fields.indexOf("customerId");
  return crossFieldCheck<NamesCustomer>(({ value, issues }) => {
    if (refuseBoth({ value, issues }) || value.customerId !== undefined || isGiven(value.customer)) return;
    if (issues.some(({ path }) => path?.[0] === "customerId" || path?.[0] === "customer")) return;
    const next = issues.findIndex(({ path }) => isAfter(path?.[0]));
    issues.splice(next === -1 ? issues.length : next, 0, {
      code: "invalid_type",
      expected: "string",
      input: undefined,
      path: ["customerId"],
    });
  });
}

/** For a schema in which both may be absent. */
export const customerOnce = crossFieldCheck<NamesCustomer>((payload) => void refuseBoth(payload));

function refuseBoth({ value, issues }: CheckedFields<NamesCustomer>): boolean {
  if (!isGiven(value.customer) || !isGiven(value.customerId)) return false;
  const message = "Give either customer or customerId.";
  issues.push({ code: "custom", message, input: value.customer, path: ["customer"], continue: true });
  return true;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

/**
 * The customer of a new budget: named by id, or found in the catalog by the inline customer's id or else its email, or
 * planned. A found customer stays as the catalog has it. A deleted one is not found, and does not return.
 * Errors: forbidden without WRITE_CUSTOMERS where a customer is added, and always without READ_CUSTOMERS, too; a conflict for the id of a deleted customer; those
 * of a creation of a customer. `attempt` counts the commits that were refused.
 */
export async function customerOf(
  context: BudgetContext,
  actor: Actor,
  { customerId, customer: given }: NamesCustomer,
  now: Instant,
  attempt: number,
): Promise<Result<CustomerOfBudget, Problem>> {
  if (!isGiven(given)) {
    const id = customerId ?? "";
    return ok({
      customerId: id,
      summaries: await customersOf(context, actor.businessId, [{ customerId: id }]),
      added: null,
    });
  }
  const found = await findInline(context, actor, given);
  if (found.isErr()) return err(found.error);
  if (found.value !== null) return ok(ofRecord(found.value, null));
  const id = given.id ?? (await newRecordId(context, actor.businessId, attempt));
  const made = await makeRecord(context, actor.businessId, customers, { ...given, id }, now);
  if (made.isErr()) return err(made.error);
  const { events } = await entriesOf(context, actor, customers, null, made.value);
  return ok(ofRecord(made.value, { customer: made.value, sharesEmail: given.id !== undefined, events }));
}

/** The inline customer after the checks of {@link customerOf}, without an id of the business; null = none is given. */
export async function planCustomer(
  context: BudgetContext,
  actor: Actor,
  { customer: given }: NamesCustomer,
  now: Instant,
): Promise<Result<Customer | null, Problem>> {
  if (!isGiven(given)) return ok(null);
  const found = await findInline(context, actor, given);
  if (found.isErr() || found.value !== null) return found;
  const id = given.id ?? String(Number.MAX_SAFE_INTEGER); // as long as an id can be
  return makeRecord(context, actor.businessId, customers, { ...given, id }, now);
}

/** Null = the customer is to be added, which the actor may do. */
async function findInline(
  { store }: BudgetContext,
  actor: Actor,
  { id, email }: z.output<typeof inlineCustomerSchema>,
): Promise<Result<Customer | null, Problem>> {
  const { businessId } = actor;
  const refusal = refuseWithoutScope(actor, "WRITE_CUSTOMERS");
  // Else the answer would tell who has no right to see customers which emails are known.
  if (refusal !== null && !hasScope(actor, "READ_CUSTOMERS")) return err(refusal);
  const found =
    id === undefined ? await findByEmail(store, businessId, email) : await store.findRecord("customer", businessId, id);
  if (found !== null && found.deletedAt === null) return ok(found);
  if (refusal !== null) return err(refusal);
  return found === null ? ok(null) : err(idTaken);
}

function findByEmail(store: BudgetContext["store"], businessId: string, email: string | null | undefined) {
  return isGiven(email) ? store.findCustomerByEmail(businessId, customerEmailKeyOf(email)) : null;
}

function ofRecord(customer: Customer, added: AddedCustomer | null): CustomerOfBudget {
  return { customerId: customer.id, summaries: summariesOfCustomer(customer), added };
}

const idTaken = valueTaken("customer", "id", "customer.id");
export const cuitTaken = valueTaken("customer", "cuit", "customer.cuit");
